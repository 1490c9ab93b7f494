import { guidePages } from '../.vitepress/guides.ts';

export default { paths: () => guidePages('tr') };
