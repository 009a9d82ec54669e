import { cleanup, render, screen } from '@testing-library/react'
import { test } from 'understudy-api/vitest'
import { afterEach, expect } from 'vitest'
import { Annotations } from './annotations.tsx'

afterEach(cleanup)

test('a new annotation is shown', async ({ simulator }) => {
  simulator.world.annotations.add({ content: 'Launch', scope: 'project' })
  render(<Annotations />)

  await screen.findByText('Launch')
  expect(screen.getAllByRole('listitem')).toHaveLength(7)
  expect(simulator).toHaveReceived({ operation: 'listAnnotations', status: 200, count: 1 })
})
