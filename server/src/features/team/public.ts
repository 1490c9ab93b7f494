export { joinTeam, openInvitation, openOwnInvitation } from './answer.service.ts';
export { grantDevice, removeFromLimits } from './members.queries.ts';
export { setMemberships, type WantedMembership } from './memberships.service.ts';
