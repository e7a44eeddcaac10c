/** The sentences of signing in, in Brazilian Portuguese. */
import type { signInTexts as english } from './en.ts'

export const signInTexts: typeof english = {
  insecure: {
    title: 'Conexão não segura',
    text: 'Para entrar, é preciso uma conexão criptografada. Abra esta página com um endereço que comece com https://.',
  },
  wait: {
    title: 'Aguarde',
    text: 'Muitas tentativas.',
    again: 'Tentar novamente',
    seconds: (count) => (count === 1 ? 'Tente novamente em 1 segundo.' : `Tente novamente em ${count} segundos.`),
    minutes: (count) => (count === 1 ? 'Tente novamente em 1 minuto.' : `Tente novamente em ${count} minutos.`),
  },
  signIn: {
    title: 'Entrar',
    name: 'Nome de usuário ou endereço de e-mail',
    password: 'Senha',
    show: 'Mostrar senha',
    button: 'Entrar',
    or: 'ou',
    passkey: 'Entrar com uma chave de acesso',
    nameMissing: 'Digite seu nome de usuário ou endereço de e-mail.',
    passwordMissing: 'Digite sua senha.',
    refused:
      'O nome de usuário, o endereço de e-mail ou a senha estão incorretos, ou esta conta não está disponível no momento.',
  },
  again: {
    title: 'Confirme sua identidade',
    lead: (userName) =>
      `Você entrou como “${userName}”. Confirme sua identidade para alterar suas configurações de login.`,
    button: 'Continuar',
    passkey: 'Usar uma chave de acesso',
  },
  keys: {
    cancelled: 'A solicitação foi cancelada ou expirou. Tente novamente.',
    known: 'Este dispositivo ou chave de segurança já está registrado.',
    failed: 'Seu navegador não conseguiu concluir a solicitação. Tente outro método.',
    unsupported: 'Este navegador não aceita chaves de acesso. Use um navegador mais recente.',
    needsScript: 'As chaves de acesso precisam de JavaScript. Ative-o nas configurações do navegador.',
    unavailable: 'Nenhuma chave de acesso pode ser usada neste site. Tente outro método.',
    tooLate: 'A solicitação expirou. Recarregue a página e tente novamente.',
    refused: 'A chave de acesso ou de segurança não foi reconhecida, ou a solicitação expirou. Tente novamente.',
  },
  secondFactor: {
    title: 'Verificação em duas etapas',
    lead: {
      u2f: 'Use sua chave de segurança.',
      totp: 'Digite o código do seu app autenticador. Cada código funciona uma vez. Se você acabou de usá-lo, aguarde o próximo.',
      otp_email: 'Enviaremos um código de verificação para seu endereço de e-mail.',
      otp_sms: 'Enviaremos um código de verificação para seu telefone.',
      recovery_code: 'Digite um dos seus códigos de recuperação. Cada código funciona uma vez.',
    },
    sent: {
      otp_email: 'Enviamos um código de verificação para seu endereço de e-mail. Ele vale por 5 minutos.',
      otp_sms: 'Enviamos um código de verificação para seu telefone. Ele vale por 5 minutos.',
    },
    code: {
      totp: 'Código de verificação',
      otp_email: 'Código de verificação',
      otp_sms: 'Código de verificação',
      recovery_code: 'Código de recuperação',
    },
    names: {
      u2f: 'Chave de segurança',
      totp: 'App autenticador',
      otp_email: 'Código por e-mail',
      otp_sms: 'Código por SMS',
      recovery_code: 'Código de recuperação',
    },
    button: 'Continuar',
    useKey: 'Usar chave de segurança',
    send: 'Enviar código',
    sendAgain: 'Enviar novo código',
    others: 'Tentar outro método',
    missing: 'Digite o código.',
    refused: 'Este código está incorreto, expirou ou já foi usado. Tente novamente com um novo código.',
    notSent: 'Não foi possível enviar o código. Tente outro método.',
  },
  requiredFactor: {
    title: 'Configure a verificação em duas etapas',
    lead: 'Sua organização exige uma segunda etapa para entrar. Configure-a uma vez para continuar.',
    none: 'Sua organização exige a verificação em duas etapas, mas nenhum método está disponível para você. Fale com seu administrador.',
    app: 'Configurar app autenticador',
    key: 'Configurar chave de segurança',
  },
  app: {
    title: 'Configure seu app autenticador',
    lead: 'Escaneie o código QR com o app. Depois, digite o código que ele mostra.',
    picture: 'Código QR para o app autenticador',
    byHand: 'Não consegue escanear? Digite esta chave no app:',
    code: 'Código de verificação',
    button: 'Concluir configuração',
    refused: 'Este código está incorreto. Digite o código atual do app.',
  },
  signedIn: {
    title: 'Você entrou',
    lead: (userName) => `Boas-vindas, ${userName}. Redirecionando…`,
    go: 'Continuar',
    account: 'Ir para sua conta',
  },
  signedOut: {
    title: 'Você saiu',
    lead: 'Sua sessão neste navegador foi encerrada.',
    again: 'Entrar novamente',
  },
  changePassword: {
    title: 'Altere sua senha',
    firstTitle: 'Escolha uma senha',
    required: 'Substitua sua senha temporária por uma nova para continuar.',
    current: 'Senha atual',
    currentMissing: 'Digite sua senha atual.',
    wrong: 'A senha atual está incorreta.',
  },
  registerPasskey: {
    title: 'Adicione uma chave de acesso',
    lead: 'Entre com sua impressão digital, seu rosto ou o PIN do dispositivo em vez de uma senha.',
    refused:
      'Não foi possível adicionar a chave de acesso. O link pode ter expirado, já ter sido usado ou ter sido substituído por um mais recente. Solicite um novo link.',
    done: 'Chave de acesso adicionada',
    doneText: 'Agora você pode entrar com sua chave de acesso.',
  },
  setUpPasskey: {
    button: 'Usar uma chave de acesso',
    done: (userName) => `Seu nome de usuário é “${userName}” e sua chave de acesso foi salva. Use-a agora para entrar.`,
  },
  setUpInsecure: {
    title: 'Este endereço não pode ser usado para a configuração',
    why: 'Você abriu esta página por http:// em um endereço que não é o deste computador. Os navegadores só oferecem chaves de acesso por https:// e não guardam aqui o cookie da sessão, por isso você não conseguiria entrar depois. Nada foi alterado e seu link continua válido.',
    how: 'Abra o link com um endereço que comece com https:// e defina SIGNET_EXTERNAL_URL com esse endereço. No próprio servidor, http://localhost também funciona.',
  },
  userName: 'Nome de usuário',
}
