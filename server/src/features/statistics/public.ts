export { type AgentCounter, createAgentCounter } from './agents.ts';
