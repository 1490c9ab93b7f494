export { joinTeam, openInvitation, openOwnInvitation } from './answer.service.ts';
export { grantDevice, removeFromLimits, webhooksOf } from './members.queries.ts';
export { tellOfLostRole, tellOfWebhooks, tellOfWebhooksOf } from './members.service.ts';
export { setMemberships, type WantedMembership } from './memberships.service.ts';
