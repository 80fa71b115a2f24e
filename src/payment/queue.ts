// One request of this process after the other uses a payment, and few requests wait at once.
import { AssayError } from '../base/errors.ts'

/** Payments that this process works on, and requests that wait for one of them. */
const MOST = 64

/** The requests of each payment, in order of arrival. */
export interface PaymentQueue {
  /** Waits for the turn, and returns its end. Throws SERVICE_UNAVAILABLE where too many have or await one. */
  wait(name: string): Promise<() => void>
}

export function createPaymentQueue(most = MOST): PaymentQueue {
  const taken = new Map<string, Promise<void>>()
  let count = 0
  return {
    wait: async (name) => {
      if (count >= most)
        throw new AssayError(
          'SERVICE_UNAVAILABLE',
          'Too many payments are under way: send the same header in a moment.',
          {
            retryAfterSeconds: 2,
          },
        )
      count += 1
      while (taken.has(name)) await taken.get(name)
      let resolve = () => {}
      taken.set(
        name,
        new Promise((done) => {
          resolve = done
        }),
      )
      return () => {
        count -= 1
        taken.delete(name)
        resolve()
      }
    },
  }
}
