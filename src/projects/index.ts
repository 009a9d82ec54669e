import type { Endpoint } from '../http/endpoint.ts'
import { listProjects } from './list.ts'
import type { ProjectsWorld } from './projects.ts'

/** Every endpoint on projects. */
export const projectEndpoints: readonly Endpoint<ProjectsWorld>[] = [listProjects]
