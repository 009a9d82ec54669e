export { answerPages, type RoutedPages } from './adapters/playwright.ts'
