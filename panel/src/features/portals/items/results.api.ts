import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { Survey } from '@portico/contract/surveys.ts';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '#lib/api.ts';
import { download, queryOf } from '#lib/client.ts';

export const useSurveyResults = (portalId: string, surveyId: string) =>
  useQuery(queryOf(api.portals.surveys.results, { params: { id: portalId, itemId: surveyId } }));

interface Texts {
  portalId: string;
  surveyId: string;
  question: string;
  page: number;
  language: PortalLanguage | null;
}

export const useSurveyTexts = (it: Texts) =>
  useQuery({
    ...queryOf(api.portals.surveys.texts, {
      params: { id: it.portalId, itemId: it.surveyId },
      query: { question: it.question, page: it.page, per_page: 10, ...(it.language && { language: it.language }) },
    }),
    placeholderData: keepPreviousData,
  });

export const useDownloadAnswers = (portalId: string) =>
  useMutation({
    mutationFn: ({ id, name }: Survey) =>
      download(api.portals.surveys.export, `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.csv`, {
        params: { id: portalId, itemId: id },
      }),
  });

export function useDownloadAdFigures(portalId: string) {
  const { t } = useTranslation('portal-editor');
  return useMutation({
    mutationFn: () => download(api.portals.ads.export, `${t('ad.fileName')}.csv`, { params: { id: portalId } }),
  });
}

export const useAdResults = (portalId: string) =>
  useQuery(queryOf(api.portals.ads.results, { params: { id: portalId } }));
