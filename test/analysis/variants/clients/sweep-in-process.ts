import { sweep } from '../../../../src/node.ts'
import type { TypeScriptClient } from './typescript.ts'

/** Sweeps clients in this process, all at once, and returns what each depends on. */
export async function dependencesOfAll(
  clients: readonly TypeScriptClient[],
): Promise<Record<string, string[]>> {
  const found = clients.map(async ({ client, run }) => [client, await dependencesOf(run)] as const)
  return Object.fromEntries(await Promise.all(found))
}

async function dependencesOf(run: TypeScriptClient['run']): Promise<string[]> {
  const { dependences } = await sweep({ mutants: true, timeout: 60_000 }, ({ simulator }) => {
    const { key, project_id: project, organization_id: organization } = simulator.defaults
    return run({ url: 'https://app.example.com', key, project, organization })
  })
  return dependences.map(({ on }) => on).sort()
}

/** What each client depends on by reading it. */
export const truthOf = (clients: readonly TypeScriptClient[]): Record<string, readonly string[]> =>
  Object.fromEntries(clients.map(({ client, dependsOn }) => [client, dependsOn]))
