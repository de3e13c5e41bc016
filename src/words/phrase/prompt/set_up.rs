//! The rows of the set-up by ear.

/// Adds them to other rows, and gives all to the macro named first.
macro_rules! set_up {
    ($then:ident { $($rows:tt)* }) => { $then! {
    $($rows)*
    /// Set-up by ear: the number of this language.
    SetupLanguage "setup-language" [n: Number];
    /// Set-up by ear: this language by keys.
    SetupLanguageKeys "setup-language-keys" [];
    /// Set-up by ear: how to answer.
    SetupHelp "setup-help" [];
    /// Set-up by ear: FIDE's German names for moves, or the language's own (D.2.1).
    SetupAskNames "setup-ask-names" [];
    /// Set-up by ear: which voice.
    SetupAskVoice "setup-ask-voice" [];
    /// Set-up by ear: a voice, said by itself.
    SetupVoice "setup-voice" [n: Number];
    /// Set-up by ear: how fast it speaks.
    SetupAskRate "setup-ask-rate" [];
    /// Set-up by ear: which device is the earphone.
    SetupAskEarphone "setup-ask-earphone" [];
    /// Set-up by ear: which device is the loudspeaker.
    SetupAskLoudspeaker "setup-ask-loudspeaker" [];
    /// Set-up by ear: said on the device it names.
    SetupHearMe "setup-hear-me" [device: Text];
    /// Set-up by ear: the device that the system prefers.
    SetupDefaultDevice "setup-default-device" [];
    /// Set-up by ear: nothing is said aloud.
    SetupNoLoudspeaker "setup-no-loudspeaker" [];
    /// Set-up by ear: earphone and loudspeaker are one device.
    SetupSameDevice "setup-same-device" [];
    /// Set-up by ear: there is nothing to speak on.
    SetupNoSound "setup-no-sound" [];
    /// Set-up by ear: which microphone.
    SetupAskMicrophone "setup-ask-microphone" [];
    /// Set-up by ear: the microphone is being measured.
    SetupSpeak "setup-speak" [];
    /// Set-up by ear: nothing, not even noise.
    SetupMicSilent "setup-mic-silent" [];
    /// Set-up by ear: noise, but no speech.
    SetupMicNoSpeech "setup-mic-no-speech" [];
    /// Set-up by ear: too quiet.
    SetupMicQuiet "setup-mic-quiet" [];
    /// Set-up by ear: as it should be.
    SetupMicGood "setup-mic-good" [];
    /// Set-up by ear: clipping.
    SetupMicLoud "setup-mic-loud" [];
    /// Set-up by ear: whether to measure again.
    SetupAskMeasure "setup-ask-measure" [];
    /// Set-up by ear: which board the blind player has.
    SetupAskBoard "setup-ask-board" [];
    /// Set-up by ear: one that no sensor feels.
    SetupBoardPlain "setup-board-plain" [];
    /// Set-up by ear: one with sensors.
    SetupBoardSensors "setup-board-sensors" [];
    /// Set-up by ear: whether he says after each move that it is executed; yes or no.
    SetupAskReports "setup-ask-reports" [];
    /// Set-up by ear: speech cannot be understood.
    SetupNoModel "setup-no-model" [];
    /// Set-up by ear: whether to fetch the official German speech model: why, and its size.
    SetupAskModel "setup-ask-model" [];
    /// Set-up by ear: it is on its way.
    SetupModelComing "setup-model-coming" [];
    /// Set-up by ear: it has come.
    SetupModelThere "setup-model-there" [];
    /// Set-up by ear: there is no way to it.
    SetupModelUnreachable "setup-model-unreachable" [];
    /// Set-up by ear: what came is not it, or could not be put in its place.
    SetupModelFailed "setup-model-failed" [];
    /// Set-up by ear: whether to test the board.
    SetupAskTest "setup-ask-test" [];
    /// Set-up by ear: no board with reeds is connected.
    SetupNoReeds "setup-no-reeds" [];
    /// Set-up by ear: ports are being tried.
    SetupLooking "setup-looking" [];
    /// Set-up by ear: no electronic board was found.
    SetupNoBoard "setup-no-board" [];
    /// Set-up by ear: the opponent's board.
    SetupAskSighted "setup-ask-sighted" [];
    /// Set-up by ear: one that tells nothing.
    SetupPlainBoard "setup-plain-board" [];
    SetupDgtBoard "setup-dgt-board" [];
    /// Set-up by ear: a board of another make.
    SetupBoardOf "setup-board-of" [maker: Text];
    /// Set-up by ear: the assistant enters its moves.
    SetupPageBoard "setup-page-board" [];
    /// Set-up by ear: the present setting.
    SetupAsBefore "setup-as-before" [];
    /// Set-up by ear: whether other machines reach the pages.
    SetupAskPages "setup-ask-pages" [];
    /// Set-up by ear: whether to make a wireless network for the telephones.
    SetupAskHotspot "setup-ask-hotspot" [];
    /// Set-up by ear: it is being switched on.
    SetupSharing "setup-sharing" [];
    /// Set-up by ear: it is on; the password digit by digit.
    SetupHotspotOn "setup-hotspot-on" [password: Text];
    /// Set-up by ear: it could not be switched on.
    SetupHotspotFailed "setup-hotspot-failed" [];
    /// Set-up by ear: which clock.
    SetupAskClock "setup-ask-clock" [];
    /// Set-up by ear: the service keeps time.
    SetupOwnClock "setup-own-clock" [];
    SetupDgtClock "setup-dgt-clock" [];
    /// Set-up by ear: whether to write what was answered.
    SetupAskSave "setup-ask-save" [];
    /// Set-up by ear: it could not be written.
    SetupNotWritten "setup-not-written" [];
    /// Set-up by ear: whether to end without writing.
    SetupAskLeave "setup-ask-leave" [];
    /// Set-up by ear: it is over, and nothing was written.
    SetupLeft "setup-left" [];
    /// Set-up by ear, in the summary: the earphone.
    SetupEarphoneIs "setup-earphone-is" [device: Text];
    /// Set-up by ear, in the summary: the loudspeaker.
    SetupLoudspeakerIs "setup-loudspeaker-is" [device: Text];
    /// Set-up by ear, in the summary: the microphone.
    SetupMicrophoneIs "setup-microphone-is" [device: Text];
    }};
}
