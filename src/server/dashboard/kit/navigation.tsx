import { useDashboard } from './context.ts'

/** Where in the dashboard somebody is: what stands behind `#` in the address. */
export interface DashboardRoute {
  /** The page and what is open on it: `['requests', '12']` */
  readonly path: readonly string[]
  /** The sandbox that is looked at; null for the server's own world */
  readonly sandbox: string | null
}

/** @example readRoute('#/requests/12?in=sandbox-1') // { path: ['requests', '12'], sandbox: 'sandbox-1' } */
export function parseHash(hash: string): DashboardRoute {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const parts = path.split('/').filter((part) => part !== '')
  return { path: parts.map(decodeSegment), sandbox: new URLSearchParams(query).get('in') }
}

/** @example toHash(['requests', '12'], null) // '#/requests/12' */
export function formatHash(path: readonly (string | number)[], sandbox: string | null): string {
  const query = sandbox === null ? '' : `?in=${encodeURIComponent(sandbox)}`
  return `#/${path.map((part) => encodeURIComponent(part)).join('/')}${query}`
}

function decodeSegment(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

interface TabsProps {
  readonly label: string
  /** The page they are of, and its parts: word in the address, and title. */
  readonly page: string
  readonly tabs: readonly (readonly [name: string, title: string])[]
  readonly current: string
}

/** The parts of a page, each with an address of its own. */
export function Tabs({ label, page, tabs, current }: TabsProps) {
  const { link } = useDashboard()
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([name, title]) => (
        <a key={name} href={link(page, name)} aria-current={name === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
