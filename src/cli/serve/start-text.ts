import { listAnnotations } from '../../api/annotations/list.ts'
import { authorizeByKey, isUnscopedKey } from '../../http/authorize.ts'
import { Failure } from '../../http/failures.ts'
import { SimulatorBase } from '../../sandbox/simulator-base.ts'
import type { Simulator } from '../../simulator.ts'
import { isLoopback } from '../../utils/network.ts'
import { version } from '../../utils/version.ts'
import type { KeyRow, ProjectRow } from '../../world/rows.ts'
import type { Paint } from '../command-context.ts'
import { formatCount } from '../output/format.ts'
import type { ServeFlags } from './open-served.ts'

/** Describes a server for machines: what `serve --json` prints when the server has started. */
export function startReport(
  { keys, world, replaying }: Simulator,
  url: string,
  { dashboard }: ServeFlags,
): object {
  return {
    url,
    admin_url: `${url}/__admin`,
    dashboard_url: dashboard ? `${url}/__admin/` : null,
    keys: keys.list().map(({ user: _, ...key }) => key),
    projects: world.projects
      .list()
      .map(({ id, name, organization }) => ({ id, name, organization })),
    ...(replaying && {
      recording: { title: replaying.title, mode: replaying.mode, requests: replaying.requests },
    }),
  }
}

/** Describes a server for people: its URLs, keys and projects, and a command to try. */
export function startText(
  simulator: Simulator,
  url: string,
  { data, recording = data, profile, state, host, token, dashboard, watch }: ServeFlags,
  paint: Paint,
): string {
  const { replaying } = simulator
  const name = (text: string): string => paint('name', text)
  const isOpen = isLoopback(host) || token !== undefined
  const keys = simulator.keys.list()
  const widest = Math.max(...keys.slice(0, maxListed).map(({ value }) => value.length))
  const source = replaying
    ? `recording "${replaying.title}" (${formatCount(replaying.requests.length, 'request')}), mode "${replaying.mode}"`
    : `world "${data}", profile "${profile}"`
  const lines = [
    `${paint('strong', `Understudy ${version}`)} is serving ${source}.`,
    state !== undefined && `${state} takes precedence over --data. Changes are saved there.`,
    watch && `Changes in ${recording} are loaded; rows written since then are discarded.`,
    '',
    `  API       ${name(url)}`,
    dashboard && isOpen && `  Dashboard ${name(`${url}/__admin/`)}`,
    `  Reference ${name(url + (dashboard && isOpen ? '/__admin/docs/' : '/openapi.json'))}`,
    isOpen
      ? `  Control   ${name(`${url}/__admin/health`)}`
      : '  Control   closed, because other machines can reach the server; open it with --token',
    ...section(
      'Keys',
      keys.map((key) => `${name(key.value.padEnd(widest))}  ${describeAccess(key, simulator)}`),
    ),
    ...section(
      'Projects',
      simulator.world.projects
        .list()
        .map((row) => `${name(String(row.id))}  ${row.name}, organization ${row.organization}`),
    ),
    ...(replaying ? [] : curlExample(simulator, url)),
    '',
    'Press Ctrl-C to stop.',
  ]
  return lines.filter((line) => typeof line === 'string').join('\n')
}

const maxListed = 12

function section(title: string, lines: readonly string[]): string[] {
  const shown = lines.slice(0, maxListed)
  const rest = lines.length - shown.length
  const all = rest > 0 ? [...shown, `… and ${rest} more`] : shown
  return all.map((line, index) => `  ${(index === 0 ? title : '').padEnd(10)}${line}`)
}

function describeAccess(key: KeyRow, { policies }: Simulator): string {
  const { scopes, projects, organizations } = key
  const limits = [
    ...projects.map((id) => `project ${id}`),
    ...organizations.map((id) => `organization ${id}`),
  ]
  const only = limits.length > 0 ? `, only in ${limits.join(', ')}` : ''
  if (scopes === null) return `legacy key without scopes: full access${only}`
  if (scopes.length === 0) {
    return `no scopes${isUnscopedKey(key, policies.settings) ? ': full access' : ''}${only}`
  }
  return `${scopes.includes('*') ? 'full access' : scopes.join(', ')}${only}`
}

/** Returns a curl command that works: it lists the annotations of a project with a key that may. */
function curlExample(simulator: Simulator, url: string): string[] {
  const keys = simulator.keys.list()
  for (const project of simulator.world.projects.list()) {
    const key = keys.find((row) => canListAnnotations(row, project, simulator))
    if (!key) continue
    const header = `Authorization: Bearer ${key.value}`.replaceAll("'", `'\\''`)
    return ['', 'Try:', `  curl -H '${header}' ${url}/api/projects/${project.id}/annotations/`]
  }
  return []
}

/** Whether a key may list the annotations of a project. Unlike a request, this counts for no rate limit. */
function canListAnnotations(key: KeyRow, { id }: ProjectRow, simulator: Simulator): boolean {
  const { directory, world, report } = SimulatorBase.sandboxOf(simulator)
  const { settings } = simulator.policies
  const context = { settings, directory, world, report, throttle: () => 0 }
  const headers = { get: () => `Bearer ${key.value}`, entries: () => [] }
  const request = { method: 'GET', query: '', headers }
  const params = { project_id: String(id) }
  try {
    const { caller } = authorizeByKey(listAnnotations, params, request, context, () => undefined)
    return caller.key.value === key.value
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
