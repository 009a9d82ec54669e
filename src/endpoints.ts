import type { AnnotationsWorld } from './annotations/annotations.ts'
import { annotationEndpoints } from './annotations/index.ts'
import type { Endpoint } from './http/endpoint.ts'
import { createPathItems, type PathItem } from './http/route.ts'
import { pluginEndpoints } from './plugins/index.ts'
import type { PluginsWorld } from './plugins/world.ts'
import { projectEndpoints } from './projects/index.ts'
import type { ProjectsWorld } from './projects/projects.ts'

/** What the endpoints of the service work with. */
export type World = AnnotationsWorld & PluginsWorld & ProjectsWorld

/** Every endpoint of the service, in the order in which documents list them. */
export const endpoints: readonly Endpoint<World>[] = [
  ...pluginEndpoints,
  ...annotationEndpoints,
  ...projectEndpoints,
]

/** The same by path, put together once for all simulators. */
export const pathItems: readonly PathItem<World>[] = createPathItems(endpoints)
