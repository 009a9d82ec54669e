import { expect, test } from 'vitest'
import { createAnnotation } from '../../../src/api/annotations/create.ts'
import { deleteAnnotation } from '../../../src/api/annotations/delete.ts'
import { declaredStatuses } from '../../../src/api/declared-failures.ts'
import { listProjects } from '../../../src/api/projects/list.ts'
import type { Endpoint } from '../../../src/http/endpoint.ts'
import { type PolicyOverrides, resolvePolicies } from '../../../src/policies/settings.ts'

const list = (endpoint: Endpoint<never>, policies: PolicyOverrides = {}) => [
  ...declaredStatuses(endpoint, resolvePolicies('documented', policies)),
]

test('each status has the failures that lead to it, in the order of the statuses', () => {
  expect(list(createAnnotation)).toEqual([
    [201, []],
    [400, ['parse_error', 'validation_error']],
    [401, ['not_authenticated', 'authentication_failed']],
    [403, ['permission_denied']],
    [404, ['not_found']],
    [406, ['not_acceptable']],
    [413, ['body_too_large']],
    [415, ['unsupported_media_type']],
    [429, ['throttled']],
    [500, ['server_error']],
  ])
})

test('policies add failures, and move them to other statuses', () => {
  const moved = list(createAnnotation, {
    'keys.insufficient.status': 404,
    'keys.missing.status': 403,
    'keys.places': 'header_body_query',
  })

  expect(moved).toEqual(
    expect.arrayContaining([
      [403, ['not_authenticated', 'authentication_failed', 'permission_denied']],
      [404, ['permission_denied', 'not_found']],
    ]),
  )
  expect(moved.map(([status]) => status)).not.toContain(401)
})

test('a path without ids has no 404 and no errors of bodies, unless a policy adds them', () => {
  const statuses = (policies?: PolicyOverrides) =>
    list(listProjects, policies).map(([status]) => status)

  expect(statuses()).toEqual([200, 401, 403, 406, 429, 500])
  expect(statuses({ 'paths.format': 'on' })).toEqual([200, 401, 403, 404, 406, 429, 500])
  expect(statuses({ 'lists.limit.invalid': 'refused' })).toEqual([
    200, 400, 401, 403, 406, 429, 500,
  ])
  expect(statuses({ 'keys.places': 'header_body_query' })).toEqual([
    200, 400, 401, 403, 406, 413, 415, 429, 500,
  ])
})

test('the status of an endpoint that is always refused is listed, too', () => {
  expect(list(deleteAnnotation).map(([status]) => status)).toContain(405)
})
