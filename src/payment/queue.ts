// One request of this process after the other uses a payment. Few requests wait at once, and fewer of one network:
// a sender of forged payments must not keep others from paying.
import { AssayError } from '../base/errors.ts'

/** Payments that this process works on, and requests that wait for one of them. */
const MOST = 64
const MOST_PER_NETWORK = 16

/** The requests of each payment, in order of arrival. */
export interface PaymentQueue {
  /** Waits for the turn, and returns its end. Throws SERVICE_UNAVAILABLE where too many have or await one. */
  wait(payment: string, network: string): Promise<() => void>
}

export function createPaymentQueue(most = MOST, mostPerNetwork = MOST_PER_NETWORK): PaymentQueue {
  const taken = new Map<string, Promise<void>>()
  const byNetwork = new Map<string, number>()
  let count = 0
  const add = (network: string, change: 1 | -1) => {
    count += change
    const now = (byNetwork.get(network) ?? 0) + change
    if (now === 0) byNetwork.delete(network)
    else byNetwork.set(network, now)
  }
  return {
    wait: async (payment, network) => {
      if (count >= most || (byNetwork.get(network) ?? 0) >= mostPerNetwork) throw full()
      add(network, 1)
      while (taken.has(payment)) await taken.get(payment)
      let resolve = () => {}
      const turn = new Promise<void>((done) => {
        resolve = done
      })
      taken.set(payment, turn)
      return () => {
        add(network, -1)
        taken.delete(payment)
        resolve()
      }
    },
  }
}

const full = () =>
  new AssayError('SERVICE_UNAVAILABLE', 'Too many payments are under way: send the same header in a moment.', {
    retryAfterSeconds: 2,
  })
