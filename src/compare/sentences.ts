import { formatCount } from '../utils/text.ts'
import type { NotCompared, Unexplained, Use } from './comparison.ts'

/** Why nothing was concluded from requests, after their names. */
const outcomes: Readonly<Record<Use['why'], (got: string | null) => string>> = {
  usable: () => 'does not decide it.',
  not_sent: () => 'could not be sent, because no response showed the id that it needs.',
  ended: () => 'had no turn before the comparison ended.',
  no_response: (got) => `got no response: ${got}`,
  unstable: (got) => `got two answers, ${got}. Compare while nothing else changes the server.`,
  failure: (got) => `got ${got} while the server failed. Compare again when it works.`,
  other_form: (got) =>
    `got ${got}, unlike other errors. Check whether a proxy in front of the API sent it.`,
  not_simulated: () => 'could not be simulated, because a simulator has no row that it needs.',
  too_large: () => 'got a refusal for its size.',
  missing: (got) => `got a ${got}, and no request of this kind succeeded.`,
  unbelieved: (got) => `got a ${got}, and no request of this kind succeeded.`,
  other_rows: (got) =>
    `may be about other rows than in a simulator, because ${got ?? 'an earlier write'} had another result there.`,
}

export function describeOutcome({ why, got }: Use): string {
  return outcomes[why](got)
}

/** Why responses were not compared, as the beginning of a sentence about their requests. */
export function describeNotCompared({ why, got, requests }: NotCompared): string {
  return `${formatCount(requests.length, 'request')} ${describeOutcome({ why, got })}`
}

export function describeUnexplained({ got, simulated }: Unexplained): string {
  return `${got}, and ${simulated} in a simulator`
}
