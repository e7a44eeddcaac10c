/** The sentences of signing in with identity providers, in Polish. */
import type { externalTexts as english } from './en.ts'

export const externalTexts: typeof english = {
  external: {
    unknown: 'dostawca zewnętrzny',
    signInWith: (name) => `Kontynuuj przez ${name}`,
    more: 'Więcej sposobów logowania',
    goOnWith: (name) => `Kontynuuj przez ${name}`,
    failed: {
      title: (name) => `Logowanie przez ${name} nie powiodło się`,
      text: 'Logowanie trwało zbyt długo, zostało już zakończone lub nie jest tu dozwolone. Nic nie zostało zmienione. Spróbuj ponownie.',
    },
    cancelled: {
      title: (name) => `Logowanie przez ${name} zostało anulowane`,
      text: 'Nic nie zostało zmienione. Spróbuj ponownie lub zaloguj się w inny sposób.',
    },
    unavailable: {
      title: (name) => `Logowanie przez ${name} jest niedostępne`,
      text: 'Dostawca nie odpowiada prawidłowo. Spróbuj ponownie za kilka minut lub zaloguj się w inny sposób.',
    },
    taken: {
      title: 'To konto jest już połączone',
      text: (name, account) =>
        `Konto ${name} „${account}” jest połączone z innym użytkownikiem. Aby się nim zalogować, najpierw się wyloguj.`,
    },
    unlinked: {
      title: (name) => `Tego konta ${name} nie można tu używać`,
      text: (name, account) =>
        `Konto ${name} „${account}” nie jest połączone z żadnym użytkownikiem. Poproś administratora o dostęp.`,
    },
    back: 'Wróć do logowania',
    link: {
      title: (name) => `Połączyć konto ${name}?`,
      lead: (name, account, userName) =>
        `Zalogowano kontem ${name} „${account}”. Po połączeniu każdy, kto ma do niego dostęp, będzie mógł zalogować się jako „${userName}”.`,
      yes: 'Połącz konto',
      no: 'Anuluj',
    },
    welcome: {
      title: 'Witamy',
      lead: (name, account) => `Zalogowano kontem ${name} „${account}”.`,
      register: 'Sprawdź swoje dane, aby utworzyć konto.',
      firstName: 'Imię',
      lastName: 'Nazwisko',
      userName: 'Nazwa użytkownika',
      email: 'Adres e-mail',
      button: 'Utwórz konto',
      firstNameWrong: 'Wpisz prawidłowe imię.',
      lastNameWrong: 'Wpisz prawidłowe nazwisko.',
      userNameWrong:
        'Ta nazwa użytkownika jest niedostępna. Wybierz inną. Adresu e-mail możesz użyć tylko wtedy, gdy należy do Ciebie.',
      emailWrong: 'Wpisz prawidłowy adres e-mail.',
      known: 'Masz już konto?',
      knownText: 'Najpierw się do niego zaloguj. Potem możesz połączyć oba konta.',
      knownOnly: 'Aby go tu używać, najpierw zaloguj się na istniejące konto. Potem możesz połączyć oba konta.',
      signIn: 'Zaloguj się na swoje konto',
    },
    account: {
      title: 'Połączone konta',
      lead: 'Loguj się kontem innego dostawcy.',
      off: 'Obecnie niedostępne',
      link: (name) => `Połącz ${name}`,
      more: 'Więcej dostawców',
      other: 'Zaloguj się innym kontem',
    },
  },
}
