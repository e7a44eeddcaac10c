class Signet < Formula
  desc "Identity server: one process, one port, OpenID Connect and passkeys"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "@DOWNLOADS@/signet-@VERSION@-darwin-arm64.tar.gz"
      sha256 "@SHA256_DARWIN_ARM64@"
    end
    on_intel do
      url "@DOWNLOADS@/signet-@VERSION@-darwin-x64.tar.gz"
      sha256 "@SHA256_DARWIN_X64@"
    end
  end

  on_linux do
    on_arm do
      url "@DOWNLOADS@/signet-@VERSION@-linux-arm64.tar.gz"
      sha256 "@SHA256_LINUX_ARM64@"
    end
    on_intel do
      url "@DOWNLOADS@/signet-@VERSION@-linux-x64.tar.gz"
      sha256 "@SHA256_LINUX_X64@"
    end
  end

  def install
    bin.install "signet"
  end

  service do
    run [opt_bin/"signet", "start"]
    keep_alive true
    environment_variables SIGNET_DATA_DIR: var/"signet", SIGNET_SUPERVISE: "false"
    working_dir var
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/signet --version")
  end
end
