import { expect, test, vi } from 'vitest'
import { claimPage, persistWorld } from '../../../src/integrations/browser/page-simulator.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'

test('a released page can be claimed again', () => {
  const page = {}

  const release = claimPage(page)
  release()
  claimPage(page)

  expect(() => claimPage(page)).toThrow(
    'Failed to start in the browser: a simulator already runs on this page. Use that one, or call its stop() first, as in import.meta.hot.dispose(stop) of a module that is replaced while the page runs.',
  )
})

const options = { key: 'understudy', onError: vi.fn() }

test('a browser without storage is refused', () => {
  const page = { sessionStorage: null } as never

  expect(() => persistWorld(createSimulator(), 'tab', options, page)).toThrow(
    "Failed to start in the browser: this page cannot use sessionStorage (it does not exist). Allow this site to store data in the settings of the browser, or pass persist: 'none' to start with a new world after each reload.",
  )
})
