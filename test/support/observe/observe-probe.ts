import { parseKeys } from '../../../src/analysis/observe/keys.ts'
import { probes } from '../../../src/analysis/observe/observe.ts'
import { Observer, type ObserverOptions } from '../../../src/analysis/observe/observer.ts'
import { Unclear } from '../../../src/analysis/observe/requests.ts'
import { type Probe, Round } from '../../../src/analysis/observe/round.ts'
import type { PolicyId } from '../../../src/policies/policies.ts'
import type { PolicyOverrides } from '../../../src/policies/settings.ts'
import { allKeys, createHiddenServer } from './hidden-server.ts'

/** How one probe observes a server. */
interface ProbeOptions extends Partial<Omit<ObserverOptions, 'keys'>> {
  readonly policies?: PolicyOverrides
  /** The keys by their labels */
  readonly keys?: Readonly<Record<string, string>>
  /** Replaces a response. */
  readonly change?: (response: Response, method: string, path: string) => Response
  /** The values that other probes found */
  readonly found?: Partial<Record<PolicyId, string>>
}

/** Runs one probe once. @returns the value, or why the policy stays open */
export async function observeProbe(
  id: PolicyId,
  {
    policies = {},
    keys = allKeys,
    change = (response) => response,
    found = {},
    ...options
  }: ProbeOptions,
): Promise<string | number> {
  const simulator = createHiddenServer(policies)
  const observer = new Observer({
    url: 'http://localhost',
    send: async (url, init) =>
      change(await simulator.fetch(url, init), init.method ?? 'GET', new URL(url).pathname),
    keys: parseKeys(keys),
    rate: Number.POSITIVE_INFINITY,
    maxRequests: 50,
    allowWrites: true,
    marker: 'k2j4',
    wait: async () => {},
    ...options,
  })
  await observer.locate()
  for (const form of ['envelope', 'detail', 'list', 'html', 'empty'] as const) {
    if (form === (policies['errors.body'] ?? 'envelope')) observer.errorForms.add(form)
  }
  for (const [other, value] of Object.entries(found)) observer.found.set(other as PolicyId, value)
  try {
    return await (probes[id] as Probe).observe(new Round(observer, 1))
  } catch (error) {
    if (error instanceof Unclear) return error.reason
    throw error
  }
}
