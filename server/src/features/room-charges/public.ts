export {
  type Answer,
  answerCharge,
  countOpenCharges,
  doubtCharges,
  setChargedSale,
  takeCharge,
} from './room-charges.queries.ts';
export {
  chargePurchase,
  chargeRoom,
  readPurchaseCharge,
  takeBackCharge,
  takeBackPurchase,
} from './room-charges.service.ts';
