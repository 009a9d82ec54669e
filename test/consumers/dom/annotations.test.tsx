import { cleanup, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
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

// StrictMode mounts twice, and aborts the request of the first.
test.for([0, 5, 0])('in StrictMode the list is shown, and shown again: %i ms', async (ms) => {
  for (const _ of [1, 2]) {
    render(
      <StrictMode>
        <Annotations />
      </StrictMode>,
    )
    expect(await screen.findAllByRole('listitem')).toHaveLength(6)
    cleanup()
    await new Promise((resolve) => setTimeout(resolve, ms))
  }
})
