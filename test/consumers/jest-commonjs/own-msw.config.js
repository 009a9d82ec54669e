const { transform, ...config } = require('./jest-30.config.js')

// As MSW needs it: its own dependencies are ES modules.
module.exports = {
  ...config,
  testRegex: 'own-msw.spec.ts$',
  testPathIgnorePatterns: [],
  transform: { '\\.(ts|m?js)$': Object.values(transform)[0] },
  transformIgnorePatterns: ['/node_modules/(?!(rettime|until-async|@open-draft|msw)/)'],
}
