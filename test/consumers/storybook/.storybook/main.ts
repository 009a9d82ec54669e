import type { StorybookConfig } from '@storybook/react-vite'

const config: StorybookConfig = {
  framework: '@storybook/react-vite',
  stories: ['../*.stories.tsx'],
  staticDirs: ['../public'],
  addons: ['@storybook/addon-vitest', 'msw-storybook-addon'],
  core: { disableTelemetry: true },
}
export default config
