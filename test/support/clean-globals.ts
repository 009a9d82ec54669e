import { afterAll, expect } from 'vitest'
import { replaceKeptFetch } from '../../src/integrations/testing/kept-fetch.ts'
// Once for all files of a process: a setup file runs before each.
import './whole-messages.ts'

// It stays replaced.
replaceKeptFetch()

// Files share a process: what one leaves behind fails another one.
const { fetch, location } = globalThis

afterAll(() => {
  expect(
    globalThis.fetch === fetch && globalThis.location === location,
    'This file leaves another fetch or location behind than it found. Restore it, as by vi.unstubAllGlobals().',
  ).toBe(true)
})
