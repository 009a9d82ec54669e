import { otherAnswers } from '../explain/past-request.ts'
import { type ByValue, setByValue, type Trial, type TriedValue } from '../fit/fit-settings.ts'
import { checks, type Failure, failureFormats } from '../http/failures.ts'
import { type ApiResponse, bodyText, sentHeaders } from '../http/messages.ts'
import { play } from '../scenarios/run/play.ts'
import { createQuickSender } from '../scenarios/run/simulator-sender.ts'
import { type SettingId, settingIds } from '../settings/setting.ts'
import { type FilledRequest, fillProbe } from './fill-probe.ts'
import type { ComparedKey } from './keys.ts'
import { openProbedWorld, probedIds } from './probed-world.ts'
import type { Probe } from './probes.ts'
import {
  type ProbeAnswer,
  type References,
  readAnswer,
  type Signature,
  signatureOf,
} from './signature.ts'

/** What the answer of a simulator to a probe shows, and what it would with each other value that it used. */
export interface SimulatedProbe {
  readonly signature: Signature | null
  readonly withOthers: ByValue<Signature | null>
}

/** The settings of whole numbers that probes show. */
const limitIds = settingIds.filter((id) => id.endsWith('.limit.default'))

/**
 * Sends probes to a simulator, and each again with each other value of the settings that it used.
 *
 * @param limits the numbers that default limits are tried with. Null to send each probe once
 * @param onSent called for each request
 */
export async function simulateProbes(
  probes: readonly Probe[],
  keys: readonly ComparedKey[],
  trial: Trial,
  limits: readonly number[] | null,
  onSent?: () => void,
): Promise<SimulatedProbe[]> {
  const answers = await answerProbes(probes, keys, trial, limits, onSent)
  const compared = new ComparedErrors(probes, answers)
  return answers.map(({ answer, withOthers }): SimulatedProbe => {
    const signatures = new Map<SettingId, Map<TriedValue, Signature | null>>()
    if (!answer) return { signature: null, withOthers: signatures }
    const add = (id: SettingId, value: TriedValue, changed: ProbeAnswer): void =>
      setByValue(signatures, id, value, signatureOf(changed, compared.with(id, value)))
    // The errors that it is compared with can be other ones.
    if (answer.status >= 400) {
      for (const { id, value } of compared.others) add(id, value, answer)
    }
    for (const [id, byValue] of withOthers) {
      for (const [value, changed] of byValue) add(id, value, changed)
    }
    return { signature: signatureOf(answer, compared.usual), withOthers: signatures }
  })
}

/** The answer of a simulator to a probe. Null for one that cannot be sent */
interface AnsweredProbe {
  readonly answer: ProbeAnswer | null
  readonly withOthers: ByValue<ProbeAnswer>
}

async function answerProbes(
  probes: readonly Probe[],
  keys: readonly ComparedKey[],
  trial: Trial,
  limits: readonly number[] | null,
  onSent?: () => void,
): Promise<AnsweredProbe[]> {
  const simulator = openProbedWorld(keys, trial)
  const { state } = simulator
  const ids = probedIds(keys)
  const names = new Map(probes.flatMap(({ save }) => (save ? [[save, `{${save}}`]] : [])))
  const numbers = Object.fromEntries(limitIds.map((id) => [id, limits ?? []]))
  const answers: AnsweredProbe[] = []
  const filled = probes.map((probe) => fillProbe(probe, ids, names) as FilledRequest)
  const steps = probes.map((probe, at) => toStep(probe, filled[at] as FilledRequest))
  for await (const { index, saved, record } of play(
    { steps },
    await createQuickSender(simulator),
  )) {
    onSent?.()
    const probe = probes[index] as Probe
    const { values } = filled[index] as FilledRequest
    const rows = new Map([...saved.all()].map(([name, id]) => [name, `${id}`]))
    rows.delete('base_url')
    const toAnswer = (response: ApiResponse, failure?: Failure): ProbeAnswer => {
      const { status, body } = response
      const refused = failure ? refusedFields(failure, Object.keys(values)) : []
      const headers = new Headers(sentHeaders(response))
      return readAnswer({ probe, values, rows, status, headers, text: bodyText(body), refused })
    }
    const withOthers = new Map<SettingId, Map<TriedValue, ProbeAnswer>>()
    const others = record && limits ? otherAnswers(record, state, numbers) : []
    for (const { id, value, answer } of others) {
      setByValue(withOthers, id, value, toAnswer(answer, answer.failure))
    }
    answers.push({ answer: record ? toAnswer(record.response, record.failure) : null, withOthers })
  }
  return answers
}

/** The fields for whose values a request may have been refused. None if it was refused before they were read. */
function refusedFields({ name, details }: Failure, sent: readonly string[]): readonly string[] {
  const { attr, check = failureFormats[name].check } = details
  if (attr !== undefined) return [attr]
  return checks.indexOf(check) <= checks.indexOf('row') ? [] : sent
}

/** The errors that other errors are compared with, by the settings that change them. */
class ComparedErrors {
  readonly usual: References
  /** The values with which some of them are other errors */
  readonly others: readonly { readonly id: SettingId; readonly value: TriedValue }[]
  readonly #errors: readonly { readonly like: NonNullable<Probe['like']>; readonly at: number }[]
  readonly #answers: readonly AnsweredProbe[]
  readonly #known = new Map<string, References>()

  constructor(probes: readonly Probe[], answers: readonly AnsweredProbe[]) {
    this.#errors = probes.flatMap(({ like }, at) => (like ? [{ like, at }] : []))
    this.#answers = answers
    this.usual = this.#references(() => undefined)
    const others = this.#errors.flatMap(({ at }) =>
      [...(answers[at]?.withOthers ?? [])].flatMap(([id, byValue]) =>
        [...byValue.keys()].map((value) => [`${id}=${value}`, { id, value }] as const),
      ),
    )
    // Several errors change with the same value.
    this.others = [...new Map(others).values()]
  }

  /** The errors with another value of a setting. */
  with(id: SettingId, value: TriedValue): References {
    const name = `${id}=${value}`
    const references =
      this.#known.get(name) ?? this.#references(({ withOthers }) => withOthers.get(id)?.get(value))
    this.#known.set(name, references)
    return references
  }

  #references(choose: (answer: AnsweredProbe) => ProbeAnswer | undefined): References {
    return Object.fromEntries(
      this.#errors.flatMap(({ like, at }) => {
        const simulated = this.#answers[at] as AnsweredProbe
        const answer = choose(simulated) ?? simulated.answer
        return answer ? [[like, answer]] : []
      }),
    )
  }
}

/** A probe as a step of a scenario. */
function toStep({ key, save }: Probe, { method, path, headers, body }: FilledRequest) {
  const { authorization: _, ...others } = headers
  return {
    ...{ method, path, headers: others },
    ...(key !== null && { as: key }),
    ...(body !== undefined && { text: body }),
    ...(save !== undefined && { save: { [save]: method === 'GET' ? '/results/0/id' : '/id' } }),
    expect: {},
  }
}
