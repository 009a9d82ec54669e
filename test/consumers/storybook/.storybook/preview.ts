import { definePreview } from '@storybook/react-vite'
import addonMsw from 'msw-storybook-addon'
import { createSimulator } from 'understudy-api'

// Each story has a simulator of its own, with the options of `parameters.simulator`.
export default definePreview({
  addons: [addonMsw()],
  beforeEach({ msw, parameters }) {
    msw.use(...createSimulator(parameters.simulator).handlers)
  },
})
