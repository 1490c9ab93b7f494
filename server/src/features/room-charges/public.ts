export {
  type Answer,
  answerCharge,
  countOpenCharges,
  doubtCharges,
  takeCharge,
} from './room-charges.queries.ts';
export { chargeRoom, takeBackCharge } from './room-charges.service.ts';
