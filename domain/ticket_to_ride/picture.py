"""stub"""
def picture(view, theme, lang): raise NotImplementedError
