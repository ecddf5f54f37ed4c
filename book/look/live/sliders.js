// Sliders get the name that stands beside them, and what they turn to is
// read out: the widgets' manager says neither.
{
  const name = () => {
    for (const handle of document.querySelectorAll(".noUi-handle")) {
      const slider = handle.closest(".widget-inline-hbox");
      const label = slider?.querySelector(".widget-label");
      handle.setAttribute("aria-label", label?.textContent || "step");
      const box = slider?.closest(".widget-vbox");
      for (const child of box?.children || [])
        if (child !== slider) child.setAttribute("aria-live", "polite");
    }
  };
  new MutationObserver(name).observe(document.documentElement, {
    childList: true,
    subtree: true,
  });
}
