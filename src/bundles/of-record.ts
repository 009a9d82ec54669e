import { isOmitted, type JournalRecord, type NotedFault } from '../journal/record.ts'
import { bytesToBody } from '../recordings/bytes.ts'
import type { Exchange, ExchangedBody } from '../recordings/exchange.ts'
import { toIso } from '../world/time.ts'

/**
 * What the journal is given of a request, as an exchange: keys are in it as they were sent.
 *
 * @param origin of addresses whose requests do not tell their host
 */
export function exchangeOfRecord(record: JournalRecord, origin: string): Exchange {
  const { at, ms, method, target, requestHeaders, requestBody, answer } = record
  const host = requestHeaders.get('host') ?? ''
  const isBroken = answer.status === 0 || breaksWithin(record)
  return {
    at: toIso(at),
    ms,
    method,
    url: `${/^[\w.:[\]-]+$/.test(host) ? `http://${host}` : origin}${target}`,
    request: { headers: [...requestHeaders.entries()], body: sentBody(requestBody) },
    answer: {
      status: isBroken ? 0 : answer.status,
      headers: Object.entries(answer.headers),
      body: 'omitted' in answer ? { omitted: answer.omitted } : { text: answer.text },
    },
  }
}

function sentBody(body: JournalRecord['requestBody']): ExchangedBody | null {
  if (body === null) return null
  if (typeof body === 'string') return { text: body }
  return isOmitted(body) ? body : bytesToBody(body)
}

/** Whether a fault broke the body off. */
function breaksWithin({ answer, fault, method }: JournalRecord): boolean {
  if (fault?.phase !== 'mid-body' || method === 'HEAD' || 'omitted' in answer) return false
  const { length } = new TextEncoder().encode(answer.text)
  const { drop, cut_bytes } = fault.effect as NotedFault['effect'] & Breaking
  return length > (drop ? Math.ceil(length / 2) : (cut_bytes ?? length))
}

interface Breaking {
  readonly drop?: true
  readonly cut_bytes?: number
}
