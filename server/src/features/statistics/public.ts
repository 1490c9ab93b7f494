export { type AgentCounter, createAgentCounter } from './agents.ts';
export { problemJobs } from './problems.jobs.ts';
