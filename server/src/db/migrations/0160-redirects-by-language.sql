-- A portal rule may redirect to one address per language.
alter table portal_rules add column urls jsonb not null default '{}';
alter table portal_rules drop constraint portal_rules_check, add check
  (((action = 'redirect_to_survey') = (survey_id is not null)) and ((action = 'redirect_to_url') = (url is not null or urls <> '{}')));

-- Drafts and versions hold rules as well. The owner may not read rows that are under row-level security.
set local role portico_system;
update portals set draft = jsonb_set(draft, '{nested,redirect_rules}', (
  select jsonb_agg('{"urls": {}}'::jsonb || rule order by n)
  from jsonb_array_elements(draft #> '{nested,redirect_rules}') with ordinality as r(rule, n)))
where jsonb_array_length(draft #> '{nested,redirect_rules}') > 0;
update portal_versions set content = jsonb_set(content, '{nested,redirect_rules}', (
  select jsonb_agg('{"urls": {}}'::jsonb || rule order by n)
  from jsonb_array_elements(content #> '{nested,redirect_rules}') with ordinality as r(rule, n)))
where jsonb_array_length(content #> '{nested,redirect_rules}') > 0;
reset role;
