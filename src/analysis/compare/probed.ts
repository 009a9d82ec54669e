import { contentFields } from '../../scenarios/run/differences.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { type Differences, type Evidence, favours } from './judge.ts'
import type { ComparedKey } from './keys.ts'
import { type FilledRequest, fillProbe } from './place.ts'
import { isWrite, listsOwnRows, type Probe, rowsOf } from './probes.ts'
import type { Run } from './run.ts'
import { type Played, Script } from './script.ts'
import {
  differencesOf,
  type Heard,
  type References,
  type Signature,
  signatureOf,
} from './signature.ts'
import { openProbedWorld, probedPlace, worldRanges } from './world.ts'

const world = Object.fromEntries(
  Object.entries(worldRanges).map(([id, [first]]) => [id, first as string]),
)

/** What the answers of a server to probes show. They are simulated in a small world. */
export class ProbedEvidence implements Evidence {
  readonly script: Script
  readonly start = (['live', 'documented'] as const).map((profile) => {
    return { ...resolveSettings(profile), ...world }
  })
  readonly worlds = worldRanges
  readonly #probes: readonly Probe[]
  readonly #seen: readonly (Signature | null)[]
  readonly #most: string | undefined
  readonly #filled: readonly FilledRequest[]
  /** The labels of the keys that the server knows, and what has succeeded. */
  readonly #known: ReadonlySet<string>
  readonly #worked: ReadonlySet<string>
  readonly #signatures = new WeakMap<
    Played,
    { references: References; signature: Signature | null }
  >()
  readonly #differences = new WeakMap<Signature, Differences>()
  readonly #references = new WeakMap<Run, References>()
  #latest: readonly { readonly answers: readonly Played[]; readonly references: References }[] = []

  /** @param seen what the answer to each probe shows. Null for nothing */
  constructor(
    probes: readonly Probe[],
    keys: readonly ComparedKey[],
    seen: readonly (Signature | null)[],
  ) {
    this.#probes = probes
    this.#seen = seen
    this.#most = keys[0]?.label
    const place = probedPlace(keys)
    const rows = new Map(probes.flatMap(({ save }) => (save ? [[save, `{${save}}`]] : [])))
    this.#filled = probes.map((probe) => fillProbe(probe, place, rows) as FilledRequest)
    const steps = probes.map((probe, at) => toStep(probe, this.#filled[at] as FilledRequest))
    this.script = new Script(
      { title: 'Probes', steps },
      { openWorld: (hypothesis) => openProbedWorld(keys, hypothesis) },
    )
    const succeeded = probes.filter((_, at) => seen[at]?.status === '2xx')
    this.#known = new Set(succeeded.flatMap(({ key }) => key ?? []))
    this.#worked = new Set(succeeded.flatMap(operationsOf))
  }

  describeWorld(name: string, value: string): string {
    const list = name.replace(/^world\./, '').replace('_', ' ')
    return `the server has ${value === 'none' ? 'no' : 'some'} rows for the list ${list}`
  }

  numbersOf(id: string): readonly number[] {
    if (!id.endsWith('.limit.default')) return []
    const limits = this.#seen.map((each) => each?.parts.limit)
    const isPossible = (each: unknown): each is number => Number(each) < highLimit
    return [...new Set(limits)].filter(isPossible)
  }

  async differences(at: number, run: Run): Promise<Differences | null> {
    const seen = this.#seen[at]
    const simulated = seen ? await this.#simulated(at, run) : null
    if (!seen || !simulated) return null
    const known = this.#differences.get(simulated)
    if (known) return known
    const { path } = this.#probes[at] as Probe
    const isOfContent = (part: string): boolean => {
      const [, field] = /^field (.*)/s.exec(part) ?? []
      return field !== undefined && (contentFields.test(field) || path.endsWith('source/'))
    }
    const found = differencesOf(seen, simulated, isOfContent)
    this.#differences.set(simulated, found)
    return found
  }

  /** Whether two simulators answer a probe in ways that can be told apart. */
  async differ(at: number, one: Run, other: Run): Promise<boolean> {
    const [first, second] = [await this.#simulated(at, one), await this.#simulated(at, other)]
    if (first === null || second === null || first === second) return false
    return favours(
      new Map(),
      differencesOf(first, second, () => false),
    )
  }

  /** What a simulator shows. The answers of other runs are often the same objects, and then the signatures are, too. */
  async #simulated(at: number, run: Run): Promise<Signature | null> {
    const played = await run.at(at)
    if (played.response === null) return null
    const references = await this.#referencesOf(run)
    const known = this.#signatures.get(played)
    if (known?.references === references) return known.signature
    const heard = this.#heard(at, played)
    const signature = heard && signatureOf(heard, references)
    this.#signatures.set(played, { references, signature })
    return signature
  }

  #heard(at: number, { response, saved }: Played): Heard | null {
    if (response === null) return null
    const rows = [...saved].flatMap(([name, id]): [string, string][] =>
      name === 'base_url' ? [] : [[name, `${id}`]],
    )
    const { sent } = this.#filled[at] as FilledRequest
    return { probe: this.#probes[at] as Probe, ...response, sent, rows: new Map(rows) }
  }

  /** The same object for the same answers. */
  async #referencesOf(run: Run): Promise<References> {
    const ofRun = this.#references.get(run)
    if (ofRun) return ofRun
    const all = this.#probes.flatMap(({ like }, at) => (like ? [{ like, at }] : []))
    const answers: Played[] = []
    for (const { at } of all) answers.push(await run.at(at))
    const known = this.#latest.find((each) =>
      each.answers.every((answer, index) => answer === answers[index]),
    )
    const found = all.map(({ like, at }, index) => [
      like,
      this.#heard(at, answers[index] as Played),
    ])
    const references: References = known?.references ?? Object.fromEntries(found)
    this.#references.set(run, references)
    if (!known) this.#latest = [{ answers, references }, ...this.#latest.slice(0, 3)]
    return references
  }

  /** A list of own rows is about all of them. */
  subjectsOf(at: number): readonly string[] {
    const probe = this.#probes[at] as Probe
    return listsOwnRows(probe) ? this.#probes.flatMap(rowsOf) : rowsOf(probe)
  }

  /** A refusal is believed if the key is known, and the operation succeeds with another one or with other values. */
  isBelieved(at: number): boolean {
    const [probe, seen] = [this.#probes[at] as Probe, this.#seen[at]]
    const { key } = probe
    if (!seen || !this.#isChecked(key)) return false
    if (['2xx', '405', '415'].includes(seen.status)) return true
    const isUnknown = key !== null && key !== 'wrong' && key !== this.#most && !this.#known.has(key)
    if (isUnknown && seen.parts['like wrong key'] !== false) return false
    return probe.isOptional === true || operationsOf(probe).every((name) => this.#worked.has(name))
  }

  /** Whether the server makes a difference between a key and others. */
  #isChecked(key: string | null): boolean {
    const isAccepted = (like: Probe['like']): boolean =>
      this.#seen[this.#probes.findIndex((probe) => probe.like === like)]?.status === '2xx'
    if (isAccepted('missing key') && key === null) return false
    return !isAccepted('wrong key') || key === this.#most
  }

  /** Only what lasts makes another row: whether it exists, and where. */
  async spoils(at: number, run: Run): Promise<boolean> {
    const probe = this.#probes[at] as Probe
    if (!isWrite(probe)) return false
    const [seen, simulated] = [this.#seen[at], await this.#simulated(at, run)]
    const lasting = ['deleted', 'is_global'].filter((name) => name in (probe.body ?? {}))
    if ((seen?.status === '2xx') !== (simulated?.status === '2xx')) {
      return lasting.length > 0 || probe.save !== undefined || probe.method === 'DELETE'
    }
    const isOther = (name: string): boolean => seen?.kept[name] !== simulated?.kept[name]
    return seen?.status === '2xx' && lasting.some(isOther)
  }

  doubt(id: string, value: string | number, by: readonly number[]): string | null {
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
