export { joinTeam, openInvitation, openOwnInvitation } from './answer.service.ts';
