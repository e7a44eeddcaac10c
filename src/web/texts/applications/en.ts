/** The sentences of the pages that applications lead to, in English. */
export const applicationTexts = {
  requestFailed: {
    title: 'The application made a mistake',
    text: 'The request of the application cannot be answered. Go back to the application and try again.',
    code: (error: string) => `For the developer of the application: ${error}`,
  },
  goOn: {
    title: 'You are signed in',
    lead: 'You will be taken back to the application.',
    button: 'Continue',
  },
}
