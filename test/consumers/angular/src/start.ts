export const start = async (): Promise<void> => {}
