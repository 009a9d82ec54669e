import type { TriedValue } from '../fit/fit-settings.ts'
import { formatCount } from '../utils/text.ts'
import type {
  Advice,
  ComparedSetting,
  NotCompared,
  OpenReason,
  Unexplained,
  Use,
} from './comparison.ts'

/** Why a value stays open, as a sentence. */
function describeOpen(reason: OpenReason): string {
  switch (reason.why) {
    case 'not_shown':
      return 'No response shows it.'
    case 'none_fits':
      return 'The answers fit none of its values.'
    case 'further_fields': {
      const { nearest, fields } = reason
      const names = `field${fields.length > 1 ? 's' : ''} ${listOf(fields)}`
      return `No value fits: ${nearest} is the nearest, but for the further ${names}, which no value has.`
    }
    case 'other_refusals':
      return `A missing scope may be the cause of the responses with ${reason.status}, too.`
    case 'several_fit':
      return describeFit(reason.values, reason.untested)
    case 'throttled':
      return `There is a limit, which no request shows: ${formatCount(reason.count, 'response')} had the status 429.`
    case 'maximum_not_shown':
      return 'A maximum, which no answer shows, may hide it.'
    case 'maximum_hides':
      return `The maximum, ${reason.maximum}, hides it.`
    case 'may_be_maximum':
      return `${reason.maximum} may be the maximum, which hides it.`
    case 'several_forms':
      return 'The errors of the server have several forms.'
    case 'key_in_body':
      return 'Only responses to keys in the query show it. A key in the body may be accepted or not.'
    case 'key_in_query':
      return 'Only responses to keys in the body show it. A key in the query may be accepted or not.'
    case 'only_405':
      return 'Only responses with 405 show it. Others may have the header or not.'
    case 'no_405':
      return reason.came ? 'No 405 has the header either.' : 'No response was a 405.'
  }
}

function describeFit(values: readonly TriedValue[], untested: readonly TriedValue[]): string {
  const fit = `${listOf(values)} ${values.length > 1 ? 'fit' : 'fits'}`
  if (untested.length === 0) return `${fit}.`
  return `${fit}, and ${listOf(untested)} ${untested.length > 1 ? 'are' : 'is'} not tested.`
}

function listOf(values: readonly TriedValue[]): string {
  return new Intl.ListFormat('en-GB').format(values.map(String))
}

/** Why nothing was concluded from requests, after their names. */
function outcomeOf({ why, got }: Use<NotCompared['why'] | 'missing'>): string {
  switch (why) {
    case 'not_sent':
      return 'could not be sent, because no response showed the id that it needs.'
    case 'ended':
      return 'had no turn before the comparison ended.'
    case 'no_response':
      return `got no response: ${got}`
    case 'unstable':
      return `got two answers, ${got}. Compare while nothing else changes the server.`
    case 'failure':
      return `got ${got} while the server failed. Compare again when it works.`
    case 'other_form':
      return `got ${got}, unlike other errors. Check whether a proxy in front of the API sent it.`
    case 'not_simulated':
      return 'could not be simulated, because a simulator has no row that it needs.'
    case 'too_large':
      return 'got a refusal for its size.'
    case 'missing':
    case 'unbelieved':
      return `got a ${got}, and no request of this kind succeeded.`
    case 'spoilt':
      return 'came after a write that had another result than in a simulator.'
  }
}

/** Why responses were not compared, as the beginning of a sentence about their requests. */
export function describeNotCompared({ why, got, requests }: NotCompared): string {
  return `${formatCount(requests.length, 'request')} ${outcomeOf({ why, got })}`
}

/** What would decide a value, as a sentence. */
export function describeAdvice(advice: Advice): string {
  switch (advice.what) {
    case 'none':
      return 'With the values that were found, no request of a comparison shows it.'
    case 'pass':
      return `It needs ${advice.needs.join(' and ')}: ${advice.request} may show it.`
    case 'not_sent': {
      const { request, after } = advice
      if (after === null)
        return `${request} was not sent, because the server did not show the row that it is about.`
      const outcome = after.status === null ? 'got no response' : `returned ${after.status}`
      return `${request} was not sent, because ${after.request} ${outcome}.`
    }
    case 'undecided':
      return `The response to ${advice.request} does not decide it.`
    case 'record':
      return `${advice.request} may show it.`
    default:
      return `${advice.request} ${outcomeOf({ why: advice.what, got: advice.got })}`
  }
}

/** Why a value has no value, and what would decide it. */
export function describeUndecided({ open, advice }: ComparedSetting): string {
  const sentences = [open && describeOpen(open), advice && describeAdvice(advice)]
  return sentences.filter((sentence) => sentence !== null).join(' ')
}

export function describeUnexplained({ got, simulated }: Unexplained): string {
  return `${got}, and ${simulated} in a simulator`
}
