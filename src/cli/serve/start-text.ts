import { isUnscopedKey } from '../../http/authorize.ts'
import { curlExample } from '../../server/curl-example.ts'
import type { Simulator } from '../../simulator.ts'
import { escapeControls } from '../../utils/escape.ts'
import { isLoopback } from '../../utils/network.ts'
import { version } from '../../utils/version.ts'
import type { KeyRow, ProjectRow } from '../../world/rows.ts'
import type { Paint } from '../command-context.ts'
import { formatCount } from '../output.ts'
import type { ServeFlags } from './open-served.ts'

/** Describes a server for machines: what `serve --json` prints when the server has started. */
export function startReport(
  { keys, world, replaying }: Simulator,
  url: string,
  { dashboard, forward }: ServeFlags,
): object {
  return {
    url,
    admin_url: `${url}/__admin`,
    dashboard_url: dashboard ? `${url}/__admin/` : null,
    ...(forward !== undefined && { forward }),
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
  flags: ServeFlags,
  paint: Paint,
): string {
  const { data, recording = data, state, watch } = flags
  const curl = simulator.replaying ? null : curlExample(simulator, url, flags.tlsCert)
  const lines = [
    `${paint('strong', `Understudy ${version}`)} is serving ${describeSource(simulator, flags)}.`,
    state !== undefined && `${state} takes precedence over --data. Changes are saved there.`,
    watch && `Changes in ${recording} are loaded; rows written since then are discarded.`,
    '',
    ...urlLines(url, flags, paint),
    ...section('Keys', simulator.keys.list(), (keys) => keyLines(keys, simulator, paint)),
    ...section('Projects', simulator.world.projects.list(), (rows) => projectLines(rows, paint)),
    ...(curl === null ? [] : ['', 'Try:', `  ${curl}`]),
    '',
    'Press Ctrl-C to stop.',
  ]
  return lines.filter((line) => typeof line === 'string').join('\n')
}

function describeSource({ replaying }: Simulator, { data, profile }: ServeFlags): string {
  if (!replaying) return `world "${data}", profile "${profile}"`
  const { title, requests, mode } = replaying
  const count = formatCount(requests.length, 'request')
  return `recording "${escapeControls(title)}" (${count}), mode "${mode}"`
}

function urlLines(
  url: string,
  { host, token, dashboard, forward, forwardKeys }: ServeFlags,
  paint: Paint,
): string[] {
  const name = (path: string): string => paint('name', url + path)
  const isOpen = isLoopback(host) || token !== undefined
  const hasPages = dashboard && isOpen
  const control = isOpen
    ? name('/__admin/openapi.json')
    : 'closed, because other machines can reach the server; open it with --token'
  return [
    `  API       ${name('')}`,
    ...(hasPages ? [`  Dashboard ${name('/__admin/')}`] : []),
    `  Reference ${name(hasPages ? '/__admin/docs/' : '/openapi.json')}`,
    ...(hasPages ? [] : [`  Control   ${control}`]),
    ...(forward === undefined
      ? []
      : [
          `  Forward   ${paint('name', forward)} gets other paths, ${forwardKeys ? 'with' : 'without'} keys`,
        ]),
  ]
}

/** How many keys and projects are listed. */
const maxListed = 12

function section<Row>(
  title: string,
  rows: readonly Row[],
  format: (rows: readonly Row[]) => readonly string[],
): string[] {
  const rest = rows.length - maxListed
  const lines = [...format(rows.slice(0, maxListed)), ...(rest > 0 ? [`… and ${rest} more`] : [])]
  return lines.map((line, index) => `  ${(index === 0 ? title : '').padEnd(10)}${line}`)
}

/** The value, the label and the access of each key. A key without a label of its own has its value as label. */
function keyLines(keys: readonly KeyRow[], simulator: Simulator, paint: Paint): string[] {
  const labels = keys.map(({ label, value }) => (label === value ? '' : JSON.stringify(label)))
  const valueWidth = Math.max(...keys.map(({ value }) => value.length))
  const labelWidth = Math.max(...labels.map((label) => label.length))
  return keys.map((key, index) => {
    const value = paint('name', key.value.padEnd(valueWidth))
    const label = labelWidth === 0 ? '' : `${labels[index]?.padEnd(labelWidth)}  `
    return `${value}  ${label}${describeAccess(key, simulator)}`
  })
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

function projectLines(rows: readonly ProjectRow[], paint: Paint): string[] {
  return rows.map(({ id, name, organization }) => {
    const owner = `organization ${escapeControls(organization)}`
    return `${paint('name', String(id))}  ${escapeControls(name)}, ${owner}`
  })
}
