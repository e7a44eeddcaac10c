/** Every sentence of the hosted pages, in Polish. */
import { accountTexts } from './account/pl.ts'
import { applicationTexts } from './applications/pl.ts'
import { approvalTexts } from './approvals/pl.ts'
import type { Texts } from './en.ts'
import { externalTexts } from './external/pl.ts'
import { methodTexts } from './methods/pl.ts'
import { personalTexts } from './personal/pl.ts'
import { counted } from './polish-counts.ts'
import { signInTexts } from './sign-in/pl.ts'

export const pl: Texts = {
  ...signInTexts,
  ...accountTexts,
  ...applicationTexts,
  ...approvalTexts,
  ...externalTexts,
  ...methodTexts,
  ...personalTexts,
  languages: 'Języki',
  summary: 'Wystąpił problem',
  start: {
    title: 'Witamy',
    lead: 'Zaloguj się, aby zarządzać swoim kontem, kluczami dostępu i używanymi aplikacjami.',
    forgotten: 'Nie pamiętasz hasła?',
    api: 'Dokumentacja API (OpenAPI)',
    inbox: 'Deweloperska skrzynka odbiorcza',
    health: 'Stan serwera',
    developers: 'Dla programistów i operatorów',
  },
  verifyEmail: {
    title: 'Potwierdź swój adres e-mail',
    lead: 'Potwierdź, że ten adres e-mail należy do Ciebie.',
    code: 'Kod weryfikacyjny',
    codeMissing: 'Wpisz kod weryfikacyjny z wiadomości e-mail.',
    button: 'Potwierdź adres e-mail',
    done: 'Adres e-mail został potwierdzony',
    doneText: 'Dziękujemy. Możesz zamknąć tę stronę.',
  },
  password: {
    resetTitle: 'Ustaw nowe hasło',
    resetLead: 'Nowe hasło zastąpi obecne. Do logowania możesz też użyć klucza dostępu.',
    inviteTitle: 'Przyjmij zaproszenie',
    inviteLead:
      'Ustaw hasło lub użyj klucza dostępu, aby dokończyć konfigurację konta. W ten sposób potwierdzisz też swój adres e-mail.',
    setupTitle: 'Skonfiguruj Signet',
    recoverTitle: 'Odzyskaj konto',
    setupLead: 'Ustaw hasło do konta administratora lub użyj klucza dostępu.',
    first: 'Nowe hasło',
    second: 'Powtórz hasło',
    missing: 'Wpisz hasło.',
    different: 'Hasła nie są takie same.',
    resetButton: 'Ustaw hasło',
    inviteButton: 'Przyjmij zaproszenie',
    setupButton: 'Ustaw hasło',
    rules: 'Wymagania dotyczące hasła',
    atLeast: (count) => `Co najmniej ${counted(count, 'znak', 'znaki', 'znaków')}`,
    needsLowercase: 'Mała litera',
    needsUppercase: 'Wielka litera',
    needsNumber: 'Cyfra',
    needsSymbol: 'Znak specjalny, na przykład ! lub ?',
    notCommon: 'Hasło inne niż popularne hasła, Twoje imię i nazwisko oraz adres e-mail',
    resetDone: 'Hasło zostało ustawione',
    resetDoneText: 'Przy następnym logowaniu użyj nowego hasła. Możesz zamknąć tę stronę.',
    inviteDone: 'Twoje konto jest gotowe',
    inviteDoneText: 'Hasło zostało ustawione, a adres e-mail potwierdzony. Możesz zamknąć tę stronę.',
  },
  flaws: {
    too_short: (least) => `Hasło musi mieć co najmniej ${counted(least, 'znak', 'znaki', 'znaków')}.`,
    too_long: (_least, most) => `Hasło może mieć najwyżej ${counted(most, 'znak', 'znaki', 'znaków')}.`,
    no_lowercase: () => 'Hasło musi zawierać małą literę.',
    no_uppercase: () => 'Hasło musi zawierać wielką literę.',
    no_number: () => 'Hasło musi zawierać cyfrę.',
    no_symbol: () => 'Hasło musi zawierać znak specjalny.',
    common: () => 'To hasło jest zbyt popularne. Wybierz inne.',
    own_name: () => 'To hasło jest zbyt podobne do Twojego imienia, nazwiska lub adresu e-mail. Wybierz inne.',
  },
  setupEmail: {
    lead: 'Wpisz swój adres e-mail. Otrzymasz wiadomość, aby go potwierdzić.',
    label: 'Adres e-mail',
    wrong: 'Wpisz prawidłowy adres e-mail.',
    button: 'Dalej',
  },
  setupDone: {
    title: 'Konfiguracja zakończona',
    name: (userName) => `Twoja nazwa użytkownika to „${userName}”. Hasło zostało ustawione i nastąpiło zalogowanie.`,
    next: 'Co dalej',
    console: 'Zarządzaj użytkownikami, organizacjami, projektami i aplikacjami w konsoli.',
    token: 'Klienty API logują się tokenem z pliku admin.pat w folderze danych. Nie ujawniaj go nikomu.',
    mail: 'Dopóki nie skonfigurujesz serwera poczty, wszystkie wiadomości trafiają do deweloperskiej skrzynki odbiorczej.',
    api: 'Wszystko, co potrafi konsola, jest też dostępne w API.',
  },
  forgotten: {
    title: 'Zresetuj hasło',
    lead: 'Wpisz nazwę użytkownika lub adres e-mail. Wyślemy Ci link do zresetowania hasła.',
    name: 'Nazwa użytkownika lub adres e-mail',
    missing: 'Wpisz nazwę użytkownika lub adres e-mail.',
    button: 'Wyślij link',
    closed: 'Tutaj nie można zresetować hasła. Skontaktuj się z administratorem.',
  },
  sent: {
    title: 'Sprawdź pocztę',
    text: 'Jeśli istnieje pasujące konto, w ciągu kilku minut otrzymasz wiadomość e-mail z linkiem. Sprawdź też folder ze spamem.',
    again: 'Nie ma wiadomości? Sprawdź wpisane dane i spróbuj ponownie lub skontaktuj się z administratorem.',
  },
  stale: {
    title: 'Ten link jest nieprawidłowy',
    text: 'Link wygasł, został już użyty lub zastąpiony nowszym. Poproś o nowy.',
    button: 'Wyślij nowy link',
    setupText:
      'Link wygasł, został już użyty lub zastąpiony nowszym. Aby utworzyć nowy, uruchom na serwerze „signet setup-link” lub „signet admin recover”, jeśli konto było już skonfigurowane.',
  },
  incomplete: {
    title: 'Ten link jest niekompletny',
    text: 'Niektóre programy pocztowe dzielą długie linki. Skopiuj cały link z wiadomości do paska adresu.',
  },
  busy: {
    title: 'Spróbuj ponownie',
    text: 'Serwer jest zajęty. Spróbuj ponownie za kilka sekund.',
  },
  notFound: {
    title: 'Nie znaleziono strony',
    text: 'Sprawdź adres. Strona mogła zostać przeniesiona lub usunięta.',
  },
  notAllowed: { title: 'Niedozwolone żądanie', text: 'Ta strona nie obsługuje żądań tego typu.' },
  crossSite: {
    title: 'Żądanie zostało zablokowane',
    text: 'Formularz wysłano z innej witryny, dlatego nic nie zostało zmienione. Otwórz ponownie stronę lub link z wiadomości e-mail.',
  },
  unreadable: {
    title: 'Nieprawidłowe żądanie',
    text: 'Nie udało się odczytać formularza lub jest on zbyt duży. Wróć i spróbuj ponownie.',
  },
  fault: {
    title: 'Coś poszło nie tak',
    text: 'Wystąpił błąd po naszej stronie. Spróbuj ponownie za kilka minut.',
  },
  signInFailed: {
    title: 'Nie udało się zalogować',
    text: 'Logowanie trwało zbyt długo lub zostało już zakończone. Wróć do aplikacji i zacznij od nowa.',
  },
  home: 'Przejdź do strony głównej',
  inbox: {
    title: 'Deweloperska skrzynka odbiorcza',
    lead: 'Nie skonfigurowano serwera poczty, dlatego wszystkie wiadomości trafiają tutaj. Ta strona jest dostępna tylko na tym komputerze.',
    locked:
      'Otwórz link do skrzynki, który serwer wyświetla przy uruchomieniu. Klucz znajduje się w pliku „inbox-key” w folderze danych.',
    empty: 'Nie ma jeszcze wiadomości.',
    to: 'Do',
    at: 'Data',
    back: 'Wszystkie wiadomości',
    asText: 'Zwykły tekst',
    body: 'Treść wiadomości',
  },
}
