import type { Differences } from '../fit/answer-differences.ts'
import {
  type ComparedAnswer,
  type ServiceAnswers,
  setByValue,
  type Trial,
  type TriedValue,
} from '../fit/fit-settings.ts'
import { contentFields } from '../scenarios/run/differences.ts'
import type { SettingId } from '../settings/setting.ts'
import type { Use } from './comparison.ts'
import type { ComparedKey } from './keys.ts'
import type { ObservedServer } from './observe-server.ts'
import { isCreation, isWriteProbe, type Probe, subjectsOf } from './probes.ts'
import { type Signature, valueIn } from './signature.ts'
import { differencesOf } from './signature-differences.ts'
import { type SimulatedProbe, type simulateProbes, worldTraits } from './simulate-probes.ts'

/** What the answers of a server to probes show. They are simulated in a small world. */
export class ProbedAnswers implements ServiceAnswers {
  readonly profiles = ['live', 'documented'] as const
  readonly triesMoves = true
  readonly worlds = worldTraits
  readonly #probes: readonly Probe[]
  readonly #seen: ObservedServer['seen']
  readonly #unseen: ObservedServer['unseen']
  readonly #keys: readonly ComparedKey[]
  /** The labels of the keys that the server knows, and what has succeeded. */
  readonly #known: ReadonlySet<string>
  readonly #worked: ReadonlySet<string>
  readonly #limits: readonly number[]
  readonly #simulate: typeof simulateProbes
  readonly #simulated = new WeakMap<readonly ComparedAnswer[], readonly SimulatedProbe[]>()

  constructor(
    { probes, seen, unseen }: ObservedServer,
    keys: readonly ComparedKey[],
    simulate: typeof simulateProbes,
  ) {
    this.#simulate = simulate
    this.#probes = probes
    this.#keys = keys
    this.#seen = seen
    this.#unseen = unseen
    const succeeded = probes.filter((_, at) => seen[at]?.status === '2xx')
    this.#known = new Set(succeeded.flatMap(({ key }) => key ?? []))
    this.#worked = new Set(succeeded.flatMap(operationsOf))
    const limits = seen
      .map((signature) => valueIn(signature, 'limit'))
      .filter((limit) => typeof limit === 'number')
    // One that no answer shows is excluded by those that show one.
    this.#limits = [...new Set([...limits, Math.max(0, ...limits) + 1])]
  }

  async compare(trial: Trial, hasOthers = true): Promise<ComparedAnswer[]> {
    const limits = hasOthers ? this.#limits : null
    const simulated = await this.#simulate(this.#probes, this.#keys, trial, limits)
    const answers = simulated.map(({ signature, withOthers }, at): ComparedAnswer => {
      const byValue = new Map<SettingId, Map<TriedValue, Differences>>()
      for (const [id, signatures] of withOthers) {
        for (const [value, changed] of signatures) {
          const differences = this.#differences(at, changed)
          if (differences) setByValue(byValue, id, value, differences)
        }
      }
      return { differences: this.#differences(at, signature), withOthers: byValue }
    })
    this.#simulated.set(answers, simulated)
    return answers
  }

  #differences(at: number, simulated: Signature | null): Differences | null {
    const seen = this.#seen[at]
    if (!seen || !simulated || !this.#isBelieved(at)) return null
    const probe = this.#probes[at] as Probe
    const isSource = probe.path.endsWith('source/')
    const isOfContent = (field: string): boolean => isSource || contentFields.test(field)
    return differencesOf(seen, simulated, isCreation(probe) ? undefined : isOfContent)
  }

  /** What can be concluded from the answer to each probe. @param answers those of the best simulator */
  uses(answers: readonly ComparedAnswer[]): Use[] {
    const simulated = this.#simulated.get(answers)
    const changed = new Set<string>()
    return this.#probes.map((_, at) => {
      const subjects = subjectsOf(at, this.#probes)
      const isOther = subjects.some((name) => changed.has(name))
      const { signature = null } = simulated?.[at] ?? {}
      if (this.#changesRows(at, signature)) for (const name of subjects) changed.add(name)
      const [seen, unseen] = [this.#seen[at], this.#unseen[at]]
      if (unseen) return unseen
      if (seen && !this.#isBelieved(at)) {
        const isMissing = ['404', '501'].includes(seen.status) && signature?.status === '2xx'
        return { why: isMissing ? 'missing' : 'unbelieved', got: `${seen.code}` }
      }
      if (!answers[at]?.differences) return { why: 'not_simulated', got: null }
      if (seen?.status === '413') return { why: 'too_large', got: null }
      return { why: isOther ? 'other_rows' : 'usable', got: null }
    })
  }

  /** A refusal is believed if the key is known, and the operation succeeds with another one or with other values. */
  #isBelieved(at: number): boolean {
    const [probe, seen] = [this.#probes[at] as Probe, this.#seen[at]]
    const { key } = probe
    if (!seen || !this.#isChecked(key)) return false
    if (['2xx', '405', '415'].includes(seen.status)) return true
    const isUnknown =
      key !== null && key !== 'wrong' && key !== this.#keys[0]?.label && !this.#known.has(key)
    // Without the words of another error, it may be about the key.
    if (isUnknown && [undefined, 'wrong key'].includes(valueIn(seen, 'cause') as string))
      return false
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
  #changesRows(at: number, simulated: Signature | null): boolean {
    const probe = this.#probes[at] as Probe
    if (!isWriteProbe(probe)) return false
    const seen = this.#seen[at]
    const lasting = ['deleted', 'is_global'].filter(
      (name) => typeof probe.body?.[name] === 'boolean',
    )
    if ((seen?.status === '2xx') !== (simulated?.status === '2xx')) {
      return lasting.length > 0 || probe.save !== undefined || probe.method === 'DELETE'
    }
    const isOther = (name: string): boolean =>
      valueIn(seen, `kept ${name}`) !== valueIn(simulated, `kept ${name}`)
    return seen?.status === '2xx' && lasting.some(isOther)
  }
}

/** What has to succeed before a refusal is believed: the operation, also with these fields, and any one beside it. */
function operationsOf({ method, path, body = {} }: Probe): string[] {
  // The same rows are at another path.
  const usual = path
    .replace('projects/@current', 'projects/:project')
    .replace(/:other|@current/, ':org')
    .replace(':missing', '{}')
  const operation = `${method} ${usual.replace(/\?.*/, '').replace(/\{\w+\}/, '{}')}`
  // A field may be refused whatever its value is.
  const fields = method === 'PATCH' && !('personal_api_key' in body) ? Object.keys(body) : []
  const parent = /^\/api\/\w+(\/:\w+)?/.exec(usual)?.[0] ?? path
  return [operation, [operation, ...fields].join(' '), parent]
}
