import type { ApiRequest, ApiResponse, Body } from './request.ts'
import { type Plugin, pick, type Rows } from './rows.ts'

/** What a client can change, the ids that come next, the time of the clock, and the sandboxes. */
export interface ComparedState
  extends Omit<
    Rows,
    'organizations' | 'projects' | 'users' | 'dashboard_items' | 'repository' | 'nextRevision'
  > {
  readonly now: string
  /** The ids of all sandboxes. */
  readonly sandboxes: readonly string[]
}

/** Describes the first difference between two responses, the order of fields included. Null if there is none. */
export function differenceOf(expected: ApiResponse, actual: ApiResponse): string | null {
  const [first, second] = [showResponse(expected), showResponse(actual)]
  return first === second ? null : `expected ${first}\nactual   ${second}`
}

function showResponse({ status, allow, type, location, authenticate, body }: ApiResponse) {
  const headers = JSON.stringify({ allow, type, location, authenticate })
  return `${status} ${headers} ${JSON.stringify(body)}`
}

export function showRequest(request: ApiRequest): string {
  const { method, base, path, query, authorization, accept, body } = request
  const rest = JSON.stringify({ query, authorization, accept, type: body?.contentType })
  return `${method} ${base}${path} ${rest} ${showBody(body)}`
}

/** A body in a message, cut if it is long. */
export function showBody(body: Body | null): string {
  const text = body?.text ?? ''
  return text.length <= 6_000 ? text : `${text.slice(0, 60)}… (${text.length} characters)`
}

/** Describes the first row that differs. Null if all are the same. @param title the name of the world */
export function differenceOfStates(
  expected: ComparedState,
  actual: ComparedState,
  title: string,
): string | null {
  const pairs = [
    [[pick(expected, single)], [pick(actual, single)]],
    [expected.annotations, actual.annotations],
    [ranked(expected.plugins), ranked(actual.plugins)],
    [expected.plugin_configs, actual.plugin_configs],
    [expected.activity, actual.activity],
    [expected.keys, actual.keys],
  ] as const
  for (const [first, second] of pairs) {
    const [expectedLines, actualLines] = [lines(first), lines(second)]
    for (let index = 0; index < Math.max(expectedLines.length, actualLines.length); index++) {
      if (expectedLines[index] === actualLines[index]) continue
      return `${title}: expected ${expectedLines[index]}\nactual   ${actualLines[index]}`
    }
  }
  return null
}

const single = ['nextAnnotation', 'nextPlugin', 'nextActivity', 'now', 'sandboxes'] as const

const lines = (rows: readonly object[]): string[] =>
  rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()

/** The numbers of revisions are internal, and only their order matters. */
function ranked(plugins: readonly Plugin[]): object[] {
  const revisions = plugins.map(({ revision }) => revision).sort((a, b) => a - b)
  return plugins.map((row) => ({ ...row, revision: revisions.indexOf(row.revision) }))
}
