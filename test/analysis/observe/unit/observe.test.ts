import { expect, test } from 'vitest'
import { parseKeys } from '../../../../src/analysis/observe/keys.ts'
import type { Finding } from '../../../../src/analysis/observe/observe.ts'
import type { PolicyId } from '../../../../src/policies/policies.ts'
import { observeOddServer } from '../../../support/observe/odd-server.ts'

const error = (status: number) => () =>
  Response.json({ type: 'a', code: 'b', detail: 'No.', attr: null }, { status })
const find = (findings: readonly Finding[], wanted: PolicyId) =>
  findings.find(({ id }) => id === wanted)
const keys = parseKeys({ all: 'phx_all' })
const whole = { allowWrites: false, keys }

const late = 'No request after it succeeded.'

test('an observation that ends early does not ask whether the server still works', async () => {
  const controller = new AbortController()
  const { findings, requests, ended } = await observeOddServer(
    (number, url) => {
      if (number === 41) controller.abort()
      return /plugins\/\w/.test(url) ? error(403)() : null
    },
    { ...whole, signal: controller.signal },
  )

  expect([requests, ended]).toEqual([41, 'The observation was interrupted.'])
  expect(find(findings, 'plugins.activity.scope')?.open).toBe(late)
})
