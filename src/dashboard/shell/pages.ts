import type { ComponentChild } from 'preact'
import { h } from 'preact'
import { ControlsPage } from '../controls/controls-page.tsx'
import { RequestsPage } from '../requests/requests-page.tsx'
import { ScenariosPage } from '../scenarios/scenarios-page.tsx'
import { WorldPage } from '../world/world-page.tsx'

/** A page of the dashboard. */
export interface DashboardPage {
  /** Its word in the address. */
  readonly name: string
  readonly title: string
  /** @param path what stands behind its word in the address */
  readonly View: (props: { path: readonly string[] }) => ComponentChild
}

/** Every page, in the order of the navigation. */
export const pages: readonly DashboardPage[] = [
  { name: 'requests', title: 'Requests', View: ({ path: [id] }) => h(RequestsPage, { id }) },
  { name: 'world', title: 'World', View: WorldPage },
  { name: 'controls', title: 'Controls', View: ControlsPage },
  {
    name: 'scenarios',
    title: 'Scenarios',
    View: ({ path: [name] }) => h(ScenariosPage, { name }),
  },
]
