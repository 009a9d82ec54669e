import { isOmitted, type JournalRecord, type RecordedFault } from '../journal/record.ts'
import { bytesToExchangedBody } from '../recordings/bytes.ts'
import type { Exchange, ExchangedBody } from '../recordings/exchange.ts'
import { formatIsoTime } from '../world/time.ts'

/**
 * What the journal is given of a request, as an exchange: keys are in it as they were sent.
 *
 * @param origin of addresses whose requests do not tell their host
 */
export function recordToExchange(record: JournalRecord, origin: string): Exchange {
  const { at, ms, method, target, requestHeaders, requestBody, response } = record
  const host = requestHeaders.get('host') ?? ''
  const isBroken = response.status === 0 || isCutInBody(record)
  return {
    at: formatIsoTime(at),
    ms,
    method,
    url: `${/^[\w.:[\]-]+$/.test(host) ? `http://${host}` : origin}${target}`,
    request: { headers: [...requestHeaders.entries()], body: toRequestBody(requestBody) },
    answer: {
      status: isBroken ? 0 : response.status,
      headers: Object.entries(response.headers),
      body: 'omitted' in response ? { omitted: response.omitted } : { text: response.text },
    },
  }
}

function toRequestBody(body: JournalRecord['requestBody']): ExchangedBody | null {
  if (body === null) return null
  if (typeof body === 'string') return { text: body }
  return isOmitted(body) ? body : bytesToExchangedBody(body)
}

/** Whether a fault broke the body off. */
function isCutInBody({ response, fault, method }: JournalRecord): boolean {
  if (fault?.phase !== 'mid-body' || method === 'HEAD' || 'omitted' in response) return false
  const { length } = new TextEncoder().encode(response.text)
  const { drop, cut_bytes } = fault.effect as RecordedFault['effect'] & CutEffect
  return length > (drop ? Math.ceil(length / 2) : (cut_bytes ?? length))
}

interface CutEffect {
  readonly drop?: true
  readonly cut_bytes?: number
}
