import { resolveSettings } from '../../settings/resolve.ts'
import type { Judge } from './judge.ts'
import type { ProbeScript } from './probe-script.ts'
import { isWrite, type Probe, rowsOf } from './probes.ts'
import type { Run } from './run.ts'
import {
  contradicts,
  favours,
  type Heard,
  likeness,
  type References,
  type Signature,
  signatureOf,
} from './signature.ts'
import { worldRanges } from './world.ts'

type State = ProbeScript extends { open(...args: never[]): Promise<{ save(): infer S }> }
  ? Exclude<S, null>
  : never
/** A simulator that answers probes. */
export type ProbeRun = Run<Heard | null, State>

const world = Object.fromEntries(
  Object.entries(worldRanges).map(([id, [first]]) => [id, first as string]),
)

interface KnownSignature {
  readonly references: References
  readonly signature: Signature | null
}

/** Judges simulators by what the answers of a server to probes show. */
export class ProbeJudge implements Judge<Heard | null, State> {
  readonly script: ProbeScript
  readonly start = (['live', 'documented'] as const).map((profile) => {
    return { ...resolveSettings(profile), ...world }
  })
  readonly worlds = worldRanges
  readonly #seen: readonly (Signature | null)[]
  readonly #known: ReadonlySet<string>
  readonly #signatures = new WeakMap<Heard, KnownSignature>()
  readonly #likenesses = new WeakMap<Signature, number>()
  readonly #references: readonly number[]
  readonly #ofRuns = new WeakMap<ProbeRun, References>()
  #latest: readonly { answers: readonly (Heard | null)[]; references: References }[] = []
  readonly #limits: readonly number[]

  constructor(script: ProbeScript, seen: readonly (Signature | null)[]) {
    this.script = script
    this.#seen = seen
    const { probes } = script
    this.#references = probes.flatMap(({ like }, at) => (like ? [at] : []))
    this.#known = new Set(
      probes.flatMap(({ key }, at) => (key !== null && seen[at]?.status === '2xx' ? [key] : [])),
    )
    const limits = seen.map((each) => each?.parts.limit)
    this.#limits = [...new Set(limits)].filter((each) => typeof each === 'number')
  }

  describeWorld(name: string, value: string): string {
    const list = name.replace(/^world\./, '').replace('_', ' ')
    return `the server has ${value === 'none' ? 'no' : 'some'} rows for the list ${list}`
  }

  numbersOf(): readonly number[] {
    return this.#limits.filter((number) => number < highLimit)
  }

  async likeness(at: number, run: ProbeRun): Promise<number> {
    const seen = this.#seen[at]
    const simulated = seen ? await this.simulated(at, run) : null
    if (!seen || !simulated) return 0
    const known = this.#likenesses.get(simulated)
    if (known !== undefined) return known
    const found = likeness(seen, simulated)
    this.#likenesses.set(simulated, found)
    return found
  }

  async isOther(at: number, run: ProbeRun): Promise<boolean> {
    const seen = this.#seen[at]
    if (!seen) return false
    const simulated = await this.simulated(at, run)
    if (seen.status !== simulated?.status) return true
    const parts = ({ certain, kept }: Signature): string => JSON.stringify([certain, kept])
    return parts(seen) !== parts(simulated) || seen.parts.shape !== simulated.parts.shape
  }

  async favours(at: number, one: ProbeRun, other: ProbeRun): Promise<boolean> {
    return this.#compare(at, one, other, favours)
  }

  async contradicts(at: number, one: ProbeRun, other: ProbeRun): Promise<boolean> {
    return this.#compare(at, one, other, contradicts)
  }

  async #compare(
    at: number,
    one: ProbeRun,
    other: ProbeRun,
    test: typeof favours,
  ): Promise<boolean> {
    const seen = this.#seen[at]
    if (!seen) return false
    const [first, second] = [await this.simulated(at, one), await this.simulated(at, other)]
    return first !== null && second !== null && first !== second && test(seen, first, second)
  }

  /** Whether two simulators answer a probe in ways that can be told apart. */
  async differ(at: number, one: ProbeRun, other: ProbeRun): Promise<boolean> {
    const [first, second] = [await this.simulated(at, one), await this.simulated(at, other)]
    return first !== null && second !== null && first !== second && favours(first, first, second)
  }

  /** What a simulator shows. The answers of other runs are often the same objects, and then the signatures are, too. */
  async simulated(at: number, run: ProbeRun): Promise<Signature | null> {
    const { answer } = await run.at(at)
    if (!answer) return null
    const references = await this.#referencesOf(run)
    const known = this.#signatures.get(answer)
    if (known?.references === references) return known.signature
    const signature = signatureOf(answer, references)
    this.#signatures.set(answer, { references, signature })
    return signature
  }

  /** The same object for the same answers. */
  async #referencesOf(run: ProbeRun): Promise<References> {
    const ofRun = this.#ofRuns.get(run)
    if (ofRun) return ofRun
    const answers: (Heard | null)[] = []
    for (const at of this.#references) answers.push((await run.at(at)).answer)
    const known = this.#latest.find((each) =>
      each.answers.every((answer, index) => answer === answers[index]),
    )
    const references: References = known?.references ?? {}
    this.#ofRuns.set(run, references)
    if (known) return references
    for (const answer of answers) if (answer?.probe.like) references[answer.probe.like] = answer
    this.#latest = [{ answers, references }, ...this.#latest.slice(0, 3)]
    return references
  }

  async usable(best: ProbeRun): Promise<readonly number[]> {
    const spoilt = await this.#spoilt(best)
    const worked = new Set<string>()
    for (const [at, probe] of this.script.probes.entries()) {
      if (this.#seen[at]?.status !== '2xx') continue
      for (const name of [operationOf(probe), changeOf(probe), parentOf(probe)]) worked.add(name)
    }
    return this.script.probes.flatMap((probe, at) =>
      this.#isBelieved(probe, this.#seen[at], worked) && !spoilt.has(at) ? [at] : [],
    )
  }

  /** A refusal is believed if the key is known, and the operation succeeds with another one or with other values. */
  #isBelieved(
    { key, ...probe }: Probe,
    seen: Signature | null | undefined,
    worked: ReadonlySet<string>,
  ): boolean {
    if (!seen || !this.#isChecked(key)) return false
    if (['2xx', '405', '415'].includes(seen.status)) return true
    const [most] = Object.keys(this.script.place.keys)
    const isUnknown = key !== null && key !== 'wrong' && key !== most && !this.#known.has(key)
    if (isUnknown && seen.parts['like wrong key'] !== false) return false
    if (probe.isOptional) return true
    return [operationOf(probe), changeOf(probe), parentOf(probe)].every((name) => worked.has(name))
  }

  /** Whether the server makes a difference between a key and others. */
  #isChecked(key: string | null): boolean {
    const isAccepted = (like: Probe['like']): boolean => {
      const at = this.script.probes.findIndex((probe) => probe.like === like)
      return this.#seen[at]?.status === '2xx'
    }
    const [most] = Object.keys(this.script.place.keys)
    if (isAccepted('missing key') && key === null) return false
    return !isAccepted('wrong key') || key === most
  }

  /** The probes of own rows that are not in the state of the simulated ones. */
  async #spoilt(best: ProbeRun): Promise<ReadonlySet<number>> {
    const spoilt = new Set<number>()
    const rows = new Set<string>()
    for (const [at, probe] of this.script.probes.entries()) {
      const own = rowsOf(probe)
      const isList = /[?&]search=#/.test(probe.path)
      if (own.some((name) => rows.has(name)) || (isList && rows.size > 0)) spoilt.add(at)
      if (!isWrite(probe)) continue
      const [seen, simulated] = [this.#seen[at], await this.simulated(at, best)]
      const isOther = (seen?.status === '2xx') !== (simulated?.status === '2xx')
      const lasting = Object.keys(probe.body ?? {}).filter(
        (name) => name === 'deleted' || name === 'is_global',
      )
      const keepsOther = lasting.some((name) => seen?.kept[name] !== simulated?.kept[name])
      const isLasting = lasting.length > 0 || probe.save || probe.method === 'DELETE'
      if ((isOther && isLasting) || (seen?.status === '2xx' && keepsOther)) {
        for (const name of own) rows.add(name)
      }
    }
    return spoilt
  }

  earlier(at: number): readonly number[] {
    const own = new Set(rowsOf(this.script.probes[at] as Probe))
    return this.script.probes.flatMap((probe, index) =>
      index < at && isWrite(probe) && rowsOf(probe).some((name) => own.has(name)) ? [index] : [],
    )
  }

  doubt(id: string, value: string | number, by: readonly number[]): string | null {
    const seen = by.flatMap((at) => this.#seen[at] ?? [])
    if (typeof value === 'number') {
      const at = this.script.probes.findIndex(({ path }) => path.includes(`limit=${highLimit}`))
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
      const inBody = by.filter((at) => (this.script.probes[at] as Probe).body !== undefined)
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

function operationOf({ method, path }: Pick<Probe, 'method' | 'path'>): string {
  const place = path
    .replace(/\?.*/, '')
    .replace(/\{\w\}/, '{}')
    .replace(':other', ':org')
  return `${method} ${place}`
}

/** The operation with the fields that a change sends: a field may be refused whatever its value is. */
function changeOf(probe: Omit<Probe, 'key'>): string {
  const isChange = probe.method === 'PATCH' && !('personal_api_key' in (probe.body ?? {}))
  const fields = isChange ? Object.keys(probe.body ?? {}) : []
  return [operationOf(probe), ...fields].join(' ')
}

function parentOf({ path }: Pick<Probe, 'path'>): string {
  return /^\/api\/\w+(\/:\w+)?/.exec(placeOf(path))?.[0] ?? path
}

/** A path with the usual project and organization. */
function placeOf(path: string): string {
  return path.replace('projects/@current', 'projects/:project').replace(/:other|@current/, ':org')
}
