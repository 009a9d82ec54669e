import type { PolicySettings } from '../policies/policies.ts'
import { createSimulator, type Simulator } from '../simulator.ts'

/** A world to ask in, with callers of every kind. */
export interface ExampleWorld {
  readonly simulator: Simulator
  /** Of keys: `everything` may do all there is to do in the world "default". */
  readonly keys: Readonly<
    Record<
      'everything' | 'otherScope' | 'otherProject' | 'otherOrganization' | 'stranger' | 'member',
      string
    >
  >
  /** Organizations of `member`: one without plugins, one that keeps its members from them. */
  readonly organizations: Readonly<Record<'empty' | 'closed', string>>
}

/** When everything is asked: answers are the same each time. */
const exampleTime = '2024-06-15T12:00:00Z'

/** The world "default" and some people more, by the policies that are to be described. */
export function createExampleWorld(settings: PolicySettings): ExampleWorld {
  const simulator = createSimulator({ world: 'default', clock: exampleTime, policies: settings })
  const { keys, world, defaults } = simulator
  const empty = world.organizations.create({ name: 'Empty' }).id
  const closed = world.organizations.create({ name: 'Closed', plugins_access_level: 0 }).id
  const organizations = [defaults.organization_id, empty, closed]
  const member = world.users.create({ organizations }).id
  const stranger = world.users.create({ organizations: [] }).id
  const otherProject = world.projects.create({ organization: empty }).id
  return {
    simulator,
    keys: {
      everything: keys.issue({ scopes: null }),
      otherScope: keys.issue({ scopes: ['user:read'] }),
      otherProject: keys.issue({ projects: [otherProject] }),
      otherOrganization: keys.issue({ organizations: [empty] }),
      stranger: keys.issue({ scopes: null, user: stranger }),
      member: keys.issue({ scopes: null, user: member }),
    },
    organizations: { empty, closed },
  }
}
