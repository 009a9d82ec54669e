import { expect } from 'storybook/test'
import preview from './.storybook/preview.ts'
import { Annotations } from './annotations.tsx'

const meta = preview.meta({ component: Annotations })

export const SixRows = meta.story({
  async play({ canvas }) {
    await expect(await canvas.findAllByRole('listitem')).toHaveLength(6)
  },
})

export const NoRows = meta.story({
  parameters: { simulator: { world: 'empty' } },
  async play({ canvas }) {
    await canvas.findByText('No annotations')
  },
})
