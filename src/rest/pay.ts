// Requests without a key that pay for themselves, by x402 version 2 over HTTP. Everything else goes to the guard.
import type { Request, RequestHandler } from 'express'
import { NOBODY } from '../access/guard.ts'
import { networksOf } from '../access/network.ts'
import { pageUrl } from '../base/page-url.ts'
import { SIGNATURE_HEADER } from '../payment/payload.ts'
import type { Payments } from '../payment/payments.ts'
import { localsOf } from './edge/admit.ts'

export interface PayDeps {
  payments: Payments
  /** The public address of this chain. */
  publicUrl: string
}

/** Admits a request without a key if it may pay; `admission` admits all others. */
export function letPay(
  { payments, publicUrl }: PayDeps,
  mayPay: (request: Request) => boolean,
  admission: RequestHandler,
): RequestHandler {
  return async (request, response, next) => {
    if (request.headers.authorization !== undefined || !mayPay(request)) {
      await admission(request, response, next)
      return
    }
    const locals = localsOf(response)
    const charge = payments.open({
      header: request.headers[SIGNATURE_HEADER]?.toString(),
      // Without parameters, because the client sends it back in a header.
      url: pageUrl(publicUrl, `/v1${request.path}`),
      network: networksOf({ address: request.ip ?? '', peer: request.socket.remoteAddress ?? '' }).client,
      signal: locals.ending,
      onPaid: (headers) => {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      },
    })
    // An answer that nobody got costs nothing. A refusal that was sent, such as 404, costs what it would with a key.
    response.once('close', () => {
      if (response.headersSent) charge.spend()
      else void charge.refund()
    })
    await charge.add(1)
    locals.admission = { caller: NOBODY, charge, signal: locals.ending }
    next()
  }
}
