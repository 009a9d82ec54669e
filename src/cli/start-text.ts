import { curlExample } from '../report/curl.ts'
import type { Profile } from '../settings/profiles.ts'
import { diffSettings, resolveSettings } from '../settings/resolve.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { nameOfFile } from '../utils/input.ts'
import { isLoopback } from '../utils/network.ts'
import { escapeControls, formatCount } from '../utils/text.ts'
import { version } from '../utils/version.ts'
import { describeAccess, type KeyRow, type ProjectRow } from '../world/rows.ts'
import type { Paint } from './command-context.ts'

export interface StartedServer {
  readonly simulator: Simulator
  readonly url: string
  readonly host: string
  readonly token?: string
  /** The name or the file of its world */
  readonly world: string
  /** The title of the scenario whose world and faults it has. Null without one */
  readonly scenario: string | null
  readonly profile: Profile
  /** The file in which changes are saved */
  readonly state?: string
  /** Whether the world is that of this file */
  readonly resumed: boolean
  /** The file whose changes are loaded */
  readonly watched: string | undefined
  /** The service that gets other paths */
  readonly forward?: string
}

/** Whether a server has a dashboard and an admin API. */
export function isAdminOpen({ host, token }: { host: string; token?: string }): boolean {
  return isLoopback(host) || token !== undefined
}

export const closedAdmin =
  'closed, because other machines can reach the server; open it with --token'

/** Describes a server for machines: what `serve --json` prints when the server has started. */
export function startReport(server: StartedServer): object {
  const { simulator, scenario, url, forward, profile } = server
  const { keys, world } = simulator
  return {
    url,
    admin_url: `${url}/__admin`,
    dashboard_url: `${url}/__admin/`,
    ...(forward !== undefined && { forward }),
    keys: keys.list().map(({ user: _, ...key }) => key),
    projects: world.projects
      .list()
      .map(({ id, name, organization }) => ({ id, name, organization })),
    ...(scenario !== null && { scenario }),
    profile,
    settings: changedSettings(server),
  }
}

/** Describes a server for people: its URLs, keys and projects, and a command to try. */
export function startText(server: StartedServer, paint: Paint): string {
  const { simulator, scenario, url, state, watched, resumed } = server
  const [keys, projects] = [simulator.keys.list(), simulator.world.projects.list()]
  const curl = curlExample(url, keys, projects, simulator.world.users.list())
  const lines = [
    `${paint('strong', `Understudy ${version}`)} is serving ${describeSource(server)}.`,
    state !== undefined &&
      (resumed
        ? `Changes are saved there. A reset returns to world "${nameOfFile(server.world)}".`
        : `Changes are saved in ${state}.`),
    watched && `Changes in ${watched} are loaded; rows written since then are discarded.`,
    scenario === null && advice[server.profile],
    '',
    ...urlLines(server, paint),
    ...section('Keys', keys, (rows) => keyLines(rows, simulator, paint)),
    ...section('Projects', projects, (rows) => projectLines(rows, paint)),
    ...section('Settings', Object.entries(changedSettings(server)), (changed) =>
      changed.map(([id, value]) => `${id} = ${value}`),
    ),
    ...(curl === null ? [] : ['', 'Try:', `  ${curl}`]),
    '',
    'Press Ctrl-C to stop.',
  ]
  return lines.filter((line) => typeof line === 'string').join('\n')
}

/** When the profile is the right one. */
const advice = {
  documented:
    "It follows the API's documentation. If your client talks to the real service, add --profile live.",
  live: "It follows the service's source, about as of mid-2024. Check yours with npx understudy-api compare --target URL --key KEY.",
} as const

function describeSource(server: StartedServer) {
  const { scenario, profile } = server
  const { length } = Object.keys(changedSettings(server))
  const changes = length === 0 ? '' : ` with ${formatCount(length, 'other setting')}`
  const rows = server.resumed
    ? `the world of ${server.state}`
    : `world "${nameOfFile(server.world)}"`
  const world =
    scenario === null ? rows : `the world and the faults of "${escapeControls(scenario)}"`
  return `${world}, profile "${profile}"${changes}`
}

/** The settings that differ from the profile. A scenario can have a profile of its own, and brings its settings. */
function changedSettings({ simulator, profile }: StartedServer) {
  return diffSettings(resolveSettings(profile), simulator.settings.values)
}

function urlLines(server: StartedServer, paint: Paint) {
  const { url, forward } = server
  const name = (path: string) => paint('name', url + path)
  const isOpen = isAdminOpen(server)
  return [
    `  API       ${name('')}`,
    ...(isOpen ? [`  Dashboard ${name('/__admin/')}`] : []),
    `  Reference ${name(isOpen ? '/__admin/docs/' : '/openapi.json')}`,
    ...(isOpen ? [] : [`  Admin     ${closedAdmin}`]),
    ...(forward === undefined
      ? []
      : [
          `  Forward   ${paint('name', forward)} gets other paths, without a key in Authorization: Bearer`,
        ]),
  ]
}

/** How many keys and projects are listed. */
const maxListed = 12

function section<Row>(
  title: string,
  rows: readonly Row[],
  format: (rows: readonly Row[]) => readonly string[],
) {
  const rest = rows.length - maxListed
  const lines = [...format(rows.slice(0, maxListed)), ...(rest > 0 ? [`… and ${rest} more`] : [])]
  return lines.map((line, index) => `  ${(index === 0 ? title : '').padEnd(10)}${line}`)
}

/** The value, the label and the access of each key. A key without a label of its own has its value as label. */
function keyLines(keys: readonly KeyRow[], simulator: Simulator, paint: Paint) {
  if (keys.length === 0) return [noKeys]
  const labels = keys.map(({ label, value }) => (label === value ? '' : JSON.stringify(label)))
  const valueWidth = Math.max(...keys.map(({ value }) => value.length))
  const labelWidth = Math.max(...labels.map((label) => label.length))
  return keys.map((key, index) => {
    const value = paint('name', key.value.padEnd(valueWidth))
    const label = labelWidth === 0 ? '' : `${labels[index]?.padEnd(labelWidth)}  `
    return `${value}  ${label}${describeAccess(key, simulator.settings.values)}`
  })
}

const noKeys =
  'none, so every request to the API is refused. Add some to "keys" in the file of the world.'

function projectLines(rows: readonly ProjectRow[], paint: Paint) {
  return rows.map(({ id, name, organization }) => {
    const owner = `organization ${escapeControls(organization)}`
    return `${paint('name', String(id))}  ${escapeControls(name)}, ${owner}`
  })
}
