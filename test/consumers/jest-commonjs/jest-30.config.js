const parser = { syntax: 'typescript', decorators: true }
const transform = { legacyDecorator: true, decoratorMetadata: true }

module.exports = {
  ...require('./jest.config.js'),
  transform: { '^.+\\.(t|j)s$': ['@swc/jest', { jsc: { parser, transform } }] },
}
