import { maxRowsAtOnce, search, visibleLists } from '../api/annotations/annotations.ts'
import type { ApiResponse } from '../http/messages.ts'
import { finishBetweenEvents, type Steps } from '../utils/steps.ts'
import { searchInSteps } from '../world/edit/find-rows.ts'
import { LargeRows, measureLargePage } from './large-page.ts'
import type { RequestEvent, Stage } from './pipeline.ts'
import type { Sandbox } from './sandbox.ts'

/** Lets other requests run while a large page is measured, and while a list is searched for the first time. */
export function serveLargeLists(sandbox: Sandbox): void {
  sandbox.LargeRows = LargeRows
  const stage: Stage = (event, next) => {
    if (event.route.endpoint.id !== 'listAnnotations') return next(event)
    const respond = (): ApiResponse | Promise<ApiResponse> => {
      // Breakpoints and faults may return a promise.
      const response = next(event) as ApiResponse | Promise<ApiResponse>
      return response instanceof Promise
        ? response.then(measureLargePage)
        : measureLargePage(response)
    }
    const steps = firstSearch(event, sandbox)
    return steps ? finishBetweenEvents(steps).then(respond) : respond()
  }
  sandbox.pipeline.use('lists', stage)
}

/** The steps of a search in a long list. The request itself then finds their results. */
function firstSearch({ route, request }: RequestEvent, sandbox: Sandbox): Steps<void> | null {
  if (!request.query.includes('search')) return null
  const { tables, policyTracker } = sandbox
  const project = tables.projects.get(Number(route.params.project_id))
  if (!project || tables.annotations.size <= maxRowsAtOnce) return null
  const settings = policyTracker.untracked
  const text = new URLSearchParams(request.query).getAll('search').at(-1) ?? null
  return searchInSteps(tables, visibleLists(project, settings), search.read(text, settings))
}
