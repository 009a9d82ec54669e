import { PastRequest } from '../explain/past-request.ts'
import { bodyText, sentHeaders } from '../http/messages.ts'
import { contentFields } from '../scenarios/run/differences.ts'
import { runStep } from '../scenarios/run/run-steps.ts'
import { otherValues, type SettingId, settingIds } from '../settings/setting.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import type { Differences } from './differences.ts'
import type { Answer, ByValue, Evidence, Trial, Value } from './fit.ts'
import type { ComparedKey } from './keys.ts'
import { type FilledRequest, fillProbe } from './place.ts'
import { isWrite, listsOwnRows, type Probe, rowsOf } from './probes.ts'
import {
  differencesOf,
  type Heard,
  type References,
  type Signature,
  signatureOf,
} from './signature.ts'
import { openProbedWorld, probedPlace, worldRanges } from './world.ts'

/** What the answer of a simulator to a probe shows, and what it would with each other value that it used. */
interface Simulated {
  readonly own: Signature | null
  readonly others: ByValue<Signature | null>
}

/** Sends probes to a simulator, and each again with each other value of the settings that it used. */
export async function simulateProbes(
  probes: readonly Probe[],
  keys: readonly ComparedKey[],
  { settings, world }: Trial,
  limits: readonly number[],
): Promise<Simulated[]> {
  const { state, target } = await openProbedWorld(keys, world, settings)
  const saved = new Map<string, unknown>([['base_url', target.baseUrl]])
  const place = probedPlace(keys)
  const names = new Map(probes.flatMap(({ save }) => (save ? [[save, `{${save}}`]] : [])))
  const numbers = Object.fromEntries(limitIds.map((id) => [id, limits]))
  const heard: (Heard | null)[] = []
  const heardOthers: Map<SettingId, Map<Value, Heard>>[] = []
  for (const [at, probe] of probes.entries()) {
    const filled = fillProbe(probe, place, names) as FilledRequest
    const rows = new Map([...saved].map(([name, id]) => [name, `${id}`]))
    rows.delete('base_url')
    const { response } = await runStep(toStep(probe, filled), at, target, saved, false)
    const record = response ? state.journal.records.at(-1) : undefined
    const hear = (answer: JournalRecord['response']): Heard => {
      const headers = new Headers(sentHeaders(answer))
      return {
        probe,
        sent: filled.sent,
        rows,
        status: answer.status,
        headers,
        text: bodyText(answer.body),
      }
    }
    heard.push(record ? hear(record.response) : null)
    const others = new Map<SettingId, Map<Value, Heard>>()
    const past = record && PastRequest.open(record, state)
    for (const { id, value } of past ? otherValues(record.usedSettings, settings, numbers) : []) {
      others.set(
        id,
        (others.get(id) ?? new Map()).set(
          value,
          hear((past as PastRequest).answer({ [id]: value })),
        ),
      )
    }
    heardOthers.push(others)
  }
  // The errors that others are compared with can be other ones, too.
  const likes = probes.flatMap(({ like }, at) => (like ? [{ like, at }] : []))
  const references = (id?: SettingId, value?: Value): References => {
    const found = likes.map(({ like, at }) => [
      like,
      (id && heardOthers[at]?.get(id)?.get(value as Value)) ?? heard[at],
    ])
    return Object.fromEntries(found.filter(([, each]) => each))
  }
  const own = references()
  const known = new Map<string, References>()
  const referencesWith = (id: SettingId, value: Value): References => {
    const found = known.get(`${id}=${value}`) ?? references(id, value)
    known.set(`${id}=${value}`, found)
    return found
  }
  const ofLikes = likes.flatMap(({ at }) =>
    [...(heardOthers[at] ?? [])].flatMap(([id, byValue]) =>
      [...byValue.keys()].map((value) => ({ id, value })),
    ),
  )
  return probes.map((_, at): Simulated => {
    const mine = heard[at]
    const others = new Map<SettingId, Map<Value, Signature | null>>()
    if (!mine) return { own: null, others }
    const add = (id: SettingId, value: Value, other: Heard): void => {
      const signature = signatureOf(other, referencesWith(id, value))
      others.set(id, (others.get(id) ?? new Map()).set(value, signature))
    }
    if (mine.status >= 400) for (const { id, value } of ofLikes) add(id, value, mine)
    for (const [id, byValue] of heardOthers[at] ?? [])
      for (const [value, other] of byValue) add(id, value, other)
    return { own: signatureOf(mine, own), others }
  })
}

/** The settings of whole numbers that probes show. */
const limitIds = settingIds.filter((id) => id.endsWith('.limit.default'))

/** What the answers of a server to probes show. They are simulated in a small world. */
export class ProbedEvidence implements Evidence {
  readonly profiles = ['live', 'documented'] as const
  readonly worlds = worldRanges
  readonly #probes: readonly Probe[]
  readonly #keys: readonly ComparedKey[]
  readonly #seen: readonly (Signature | null)[]
  /** The labels of the keys that the server knows, and what has succeeded. */
  readonly #known: ReadonlySet<string>
  readonly #worked: ReadonlySet<string>
  readonly #limits: readonly number[]
  readonly #ofAnswers = new WeakMap<readonly Answer[], readonly Simulated[]>()

  /** @param seen what the answer to each probe shows. Null for nothing */
  constructor(
    probes: readonly Probe[],
    keys: readonly ComparedKey[],
    seen: readonly (Signature | null)[],
  ) {
    this.#probes = probes
    this.#keys = keys
    this.#seen = seen
    const succeeded = probes.filter((_, at) => seen[at]?.status === '2xx')
    this.#known = new Set(succeeded.flatMap(({ key }) => key ?? []))
    this.#worked = new Set(succeeded.flatMap(operationsOf))
    const limits = new Set(seen.map((each) => each?.parts.limit))
    this.#limits = [...limits].filter((each): each is number => Number(each) < highLimit)
  }

  async answer(trial: Trial): Promise<Answer[]> {
    const simulated = await simulateProbes(this.#probes, this.#keys, trial, this.#limits)
    const answers = simulated.map(({ own, others }, at): Answer => {
      const found = new Map<SettingId, Map<Value, Differences>>()
      for (const [id, byValue] of others) {
        for (const [value, other] of byValue) {
          const differences = this.#differences(at, other)
          if (differences) found.set(id, (found.get(id) ?? new Map()).set(value, differences))
        }
      }
      return { own: this.#differences(at, own), others: found }
    })
    this.#ofAnswers.set(answers, simulated)
    return answers
  }

  #differences(at: number, simulated: Signature | null): Differences | null {
    const seen = this.#seen[at]
    if (!seen || !simulated) return null
    const { path } = this.#probes[at] as Probe
    return differencesOf(seen, simulated, (part) => {
      const [, field] = /^field (.*)/s.exec(part) ?? []
      return field !== undefined && (contentFields.test(field) || path.endsWith('source/'))
    })
  }

  /** After a write that the best simulator carries out otherwise, requests about the same rows show nothing. */
  usable(answers: readonly Answer[]): number[] {
    const simulated = this.#ofAnswers.get(answers)
    const spoilt = new Set<string>()
    return this.#probes.flatMap((_, at) => {
      const subjects = this.#subjectsOf(at)
      const isUsable =
        answers[at]?.own && this.#isBelieved(at) && !subjects.some((each) => spoilt.has(each))
      if (this.#spoils(at, simulated?.[at]?.own ?? null))
        for (const each of subjects) spoilt.add(each)
      return isUsable ? [at] : []
    })
  }

  /** A list of own rows is about all of them. */
  #subjectsOf(at: number): readonly string[] {
    const probe = this.#probes[at] as Probe
    return listsOwnRows(probe) ? this.#probes.flatMap(rowsOf) : rowsOf(probe)
  }

  /** A refusal is believed if the key is known, and the operation succeeds with another one or with other values. */
  #isBelieved(at: number): boolean {
    const [probe, seen] = [this.#probes[at] as Probe, this.#seen[at]]
    const { key } = probe
    if (!seen || !this.#isChecked(key)) return false
    if (['2xx', '405', '415'].includes(seen.status)) return true
    const isUnknown =
      key !== null && key !== 'wrong' && key !== this.#keys[0]?.label && !this.#known.has(key)
    if (isUnknown && seen.parts['like wrong key'] !== false) return false
    return probe.isOptional === true || operationsOf(probe).every((name) => this.#worked.has(name))
  }

  /** Whether the server makes a difference between a key and others. */
  #isChecked(key: string | null): boolean {
    const isAccepted = (like: Probe['like']): boolean =>
      this.#seen[this.#probes.findIndex((probe) => probe.like === like)]?.status === '2xx'
    if (isAccepted('missing key') && key === null) return false
    return !isAccepted('wrong key') || key === this.#keys[0]?.label
  }

  /** Only what lasts makes another row: whether it exists, and where. */
  #spoils(at: number, simulated: Signature | null): boolean {
    const probe = this.#probes[at] as Probe
    if (!isWrite(probe)) return false
    const seen = this.#seen[at]
    const lasting = ['deleted', 'is_global'].filter((name) => name in (probe.body ?? {}))
    if ((seen?.status === '2xx') !== (simulated?.status === '2xx')) {
      return lasting.length > 0 || probe.save !== undefined || probe.method === 'DELETE'
    }
    const isOther = (name: string): boolean => seen?.kept[name] !== simulated?.kept[name]
    return seen?.status === '2xx' && lasting.some(isOther)
  }

  doubt(id: SettingId, value: Value, by: readonly number[]): string | null {
    const seen = by.flatMap((at) => this.#seen[at] ?? [])
    if (typeof value === 'number') {
      const at = this.#probes.findIndex(({ path }) => path.includes(`limit=${highLimit}`))
      const maximum = this.#seen[at]?.parts.limit
      if (typeof maximum !== 'number') return 'A maximum, which no answer shows, may hide it.'
      if (maximum < highLimit && value >= maximum) return `The maximum, ${maximum}, hides it.`
    }
    if (id === 'errors.body') {
      const forms = new Set(
        this.#seen.flatMap((each) => (each && each.status >= '400' ? [each.parts.form] : [])),
      )
      forms.delete('empty')
      if (forms.size > 1) return 'The errors of the server have several forms.'
    }
    if (id === 'keys.places') {
      const inBody = by.filter((at) => (this.#probes[at] as Probe).body !== undefined)
      if (inBody.length === 0)
        return 'A key in the body may be another matter than one in the query.'
      if (inBody.length === by.length) return 'A key in the query may be another matter.'
    }
    if (id === 'headers.allow' && !seen.some(({ parts }) => parts.allow === true)) {
      if (!this.#seen.some((each) => each?.status === '405' && each.parts.allow === true))
        return 'No 405 has the header either.'
    }
    return null
  }
}

const highLimit = 100_000

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

/** What has to succeed before a refusal is believed: the operation, also with these fields, and any one beside it. */
function operationsOf({ method, path, body = {} }: Probe): string[] {
  // The same rows are at another path.
  const usual = path
    .replace('projects/@current', 'projects/:project')
    .replace(/:other|@current/, ':org')
  const operation = `${method} ${usual.replace(/\?.*/, '').replace(/\{\w\}/, '{}')}`
  // A field may be refused whatever its value is.
  const fields = method === 'PATCH' && !('personal_api_key' in body) ? Object.keys(body) : []
  const parent = /^\/api\/\w+(\/:\w+)?/.exec(usual)?.[0] ?? path
  return [operation, [operation, ...fields].join(' '), parent]
}
